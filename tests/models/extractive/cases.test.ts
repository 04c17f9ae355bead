import { describe, expect, it } from 'vitest'
import { answered } from './answered.ts'

const judgment = `青川县人民法院
刑事判决书
公诉机关建议判处被告人陈某有期徒刑五年。
依照《中华人民共和国刑法》第二百六十四条、第六十七条第一款之规定，判决如下：
一、被告人陈某犯盗窃罪、掩饰、隐瞒犯罪
所得罪，判处有期徒刑三年八个月，剥夺政治权利一年，并处罚金人民币一万五千元；
二、被告人吴某犯掩饰、隐瞒犯罪所得罪，判处有期徒刑一年，缓刑一年六个月，并处没收个人全部财产；
三、被告人吴某退缴的赃款一万元，上缴国库。`

const ask = (query: string, text: string) =>
  answered(query, ['陈某等盗窃案.pdf', text]).map(row => Object.values(row))

describe('Chinese court cases', () => {
  it('contain the decision about each defendant, not the request of the prosecution', () => {
    expect(ask('请整理各被告人的判决结果。', judgment)).toEqual([
      [
        '陈某等盗窃案',
        '陈某',
        '["盗窃罪", "掩饰、隐瞒犯罪所得罪"]',
        '有期徒刑三年八个月',
        null,
        '人民币一万五千元',
        null,
        '一年',
        null,
      ],
      [
        '陈某等盗窃案',
        '吴某',
        '掩饰、隐瞒犯罪所得罪',
        '有期徒刑一年',
        '缓刑一年六个月',
        null,
        '个人全部财产',
        null,
        '退缴的赃款一万元，上缴国库',
      ],
    ])
  })

  it('contain the term to be served when several terms are combined', () => {
    const text =
      '判决如下：被告人李某犯诈骗罪，判处有期徒刑三年，犯盗窃罪，判处有期徒刑二年，决定执行有期徒刑四年。'
    expect(ask('判决结果', text)[0]).toMatchObject({ 2: '["诈骗罪", "盗窃罪"]', 3: '有期徒刑四年' })
  })

  it('are read when the decision names the crime first', () => {
    const text = '法院以危险驾驶罪判处被告人王某拘役二个月，缓刑三个月，并处罚金人民币五千元。'
    expect(ask('判决结果', text)[0]).toMatchObject({
      1: '王某',
      2: '危险驾驶罪',
      3: '拘役二个月',
      4: '缓刑三个月',
    })
  })

  it('contain the cited statutes in Arabic numerals', () => {
    expect(ask('找出相关联的法律条文。', judgment)[0]?.[1]).toBe(
      '["《中华人民共和国刑法》第264条", "《中华人民共和国刑法》第67条"]',
    )
  })

  it('contain the statutes for the crime when none is cited', () => {
    expect(ask('找出相关联的法律条文。', '宋某驾车撞倒行人后逃逸，构成交通肇事罪。')[0]?.[1]).toContain(
      '第133条',
    )
  })
})
