import { describe, expect, it } from 'vitest'
import { rateEmpty, rateTextByRules } from '../../../src/score/table/rate-text.ts'

/** Rates two cells as judge `rules` does. What no rule decides is wrong. */
function scoreOf(gold: string, predicted: string, column = 'Value'): number {
  if (gold === predicted) return 1
  return (rateEmpty(gold, predicted) ?? rateTextByRules(gold, predicted, column))?.score ?? 0
}

describe('judge rules on the kinds of cells that the AOE paper gives as examples', () => {
  it.each([
    ['Ticket price', '$24.50', '24.50 USD', 1],
    ['票价', '$24.50', '24.50美元', 1],
    ['Due date', '2022-03-09', 'March 9, 2022', 1],
    ['Due date', '2022-03-09', 'March 10, 2022', 0],
    ['到期日', '2022-03-09', '2022年3月10日', 0],
    ['Clauses', '["Clause 3","Clause 8","Clause 9"]', 'Clause 3, Clause 7', 0.8 / 3],
    ['Sources', '["Patent US7/22","Report 55"]', 'Patent US7/22', 0.4],
    ['Letters', '["C", "D"]', '["C", "E"]', 0.4],
    ['Fishing ban', 'Barred from fishing for 5 years', ', Barred from fishing for five years', 1],
    ['从业禁止', '禁止从事捕捞行业5年', ', 禁止从事捕捞行业五年', 1],
    ['Probation', 'Probation for two years and three months', 'Two years and three months', 1],
    ['缓刑', '缓刑二年三个月', '二年三个月', 1],
    ['Further orders', 'None', '', 1],
    ['其他判决', '无', '', 1],
    ['Second name', '', '', 1],
  ])('%s: %s against %s', (column, gold, predicted, score) => {
    expect(scoreOf(gold, predicted, column)).toBeCloseTo(score, 9)
  })

  it('leaves the share of a partly right sentence to a judge model', () => {
    const [gold, predicted] = ['Blue lamp, 2 bulbs of 40 watts.', 'Blue lamp, needs bulbs.']
    expect(rateTextByRules(gold, predicted, 'Description')).toBeNull()
  })
})

describe('judge rules on values in different forms', () => {
  it.each([
    ['$1,250', '1,250.00'],
    ['$1,250.00', 'USD 1250'],
    ['US$3.2 million', '3,200,000 dollars'],
    ['¥60万', '人民币六十万元'],
    ['处罚金人民币六十万元', '600,000元'],
    ['罚金三千元', '3000'],
    ['人民币四十一万八千零七十元一角', '418070.1元'],
    ['forty-two', '42'],
    ['three hundred employees', '300 employees'],
    ['9 March 2022', '2022/3/9'],
    ['the 9th day of March, 2022', '2022-03-09'],
    ['二〇二二年三月九日', '2022-03-09'],
    ['有期徒刑十一年', '十一年'],
    ['有期徒刑十一年', '判处有期徒刑11年'],
    ['eleven years', '11 years in prison'],
    ['18 months', 'one year and six months'],
    ['一年六个月', '18个月'],
    ['一年半', '1年6个月'],
    ["18 months' probation", 'probation of 1 year and 6 months'],
    ['有期徒刑三年，缓刑四年', '有期徒刑3年缓刑4年'],
    ['有期徒刑十个月二十五日', '10个月25日'],
    ['无', '未提及'],
    ['不适用', 'N/A'],
    ['—', 'null'],
    ['red, green, blue', 'blue, red, green'],
  ])('%s is %s', (left, right) => {
    expect([scoreOf(left, right), scoreOf(right, left)]).toEqual([1, 1])
  })

  it.each([
    ['11 years', '11 months'],
    ['十一年', '十一个月'],
    ['十一个月', '十一月'],
    ['$5', '$5m'],
    ['$5', '€5'],
    ['5', '5 kg'],
    ['5%', '5'],
    ['2024-01-02', '2024-02-01'],
    ['01/02/2024', '2024-01-02'],
    ['2024年', '24288个月'],
    ['缓刑二年', '有期徒刑二年'],
    ['有期徒刑三年，缓刑四年', '有期徒刑四年，缓刑三年'],
    ['有期徒刑三年，缓刑四年', '三年，四年'],
    ['有期徒刑三年，缓刑四年', '有期徒刑三年'],
    ['死刑，缓期二年执行', '二年'],
    ['无期徒刑', '有期徒刑'],
    ['one or two', '3'],
    ['1 month', '30 days'],
    ['无', '无罪'],
    ['N/A', '0'],
    ['五年', ''],
    ['Los Angeles, California, USA', 'San Diego, California, USA'],
    ['007', '7'],
  ])('%s is not %s', (left, right) => {
    expect([scoreOf(left, right), scoreOf(right, left)]).toEqual([0, 0])
  })

  it.each([
    ['刑期', '有期徒刑二年', '二年', 1],
    ['刑期', '缓刑二年', '二年', 0],
    ['刑期', '拘役六个月', '六个月', 1],
    ['缓刑', '缓刑二年', '二年', 1],
    ['缓刑', '二年', '有期徒刑二年', 0],
    ['Probation', 'Two years', '2 years of imprisonment', 0],
    ['Price (EUR)', '5', '$5', 0],
    ['Price (EUR)', '5', '€5', 1],
  ])('reads a bare value as its column says: %s, %s, %s', (column, gold, predicted, score) => {
    expect(scoreOf(gold, predicted, column)).toBe(score)
  })
})
