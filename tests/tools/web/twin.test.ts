import { describe, expect, it } from 'vitest'
import { changeFigures, makeTwin } from '../../../tools/web/twin.ts'

describe('changed figures', () => {
  it('keep their size and shape; equal ones stay equal; dates and names stay', () => {
    const text =
      'Form 10-Q, Section 13 or 15(d), January 25, 2025: revenue $13,991 and 13,991; 4.56 %, 100%, 3M, Q2, 1,250,000'
    const other = changeFigures(text, -1, 7)
    expect(other).toMatch(
      /^Form 10-Q, Section 13 or 15\(d\), January 25, 2024: revenue \$1\d,\d{3} and 1\d,\d{3}; 4\.\d\d %, 100%, 3M, Q2, 1,\d{2}0,000$/,
    )
    const [first, second] = other.match(/\d\d,\d{3}(?![,\d])/g) ?? []
    expect(first).toBe(second)
    expect(first).not.toBe('13,991')
    expect(other).not.toContain('4.56')
  })

  it('are found in Chinese texts: years, amounts, terms in words; dates, articles and clauses stay', () => {
    const text =
      '2021年3月25日，依照刑法第二百六十六条、第264条，判处有期徒刑三年，罚金25,300元，2021年年度报告'
    const other = changeFigures(text, 2, 3)
    expect(other).toMatch(
      /^2023年3月25日，依照刑法第二百六十六条、第264条，判处有期徒刑[一二四五六七八九]年，罚金2\d,\d00元，2023年年度报告$/,
    )
    expect(other).not.toContain('25,300')
  })
})

describe('a twin', () => {
  it('of a Chinese report has another company or year in name, title and text', () => {
    const text =
      '恒通科技股份有限公司2023年年度报告\n恒通科技股份有限公司营业收入1,234,567,890.12元，净利润98,765,432.10元。'
    const original = {
      name: '600519_恒通科技_2023年年度报告.md',
      title: '恒通科技股份有限公司2023年年度报告',
      text,
    }
    const year = makeTwin(original, 'year', 0, 5)
    expect(year.name).toBe('600519_恒通科技_2022年年度报告.md')
    expect(year.title).toBe('恒通科技股份有限公司2022年年度报告')
    const company = makeTwin(original, 'company', 0, 5)
    expect(company.name).not.toContain('恒通')
    expect(company.title).not.toContain('恒通')
    expect(company.text).toContain('2023年年度报告')
    expect(company.text).not.toContain('1,234,567,890.12')
  })

  it('can be written for any text, whatever characters it contains', () => {
    const signs = '.*+?^$ {}()|[]\\/ OTHERWISE, Inc. (A*B) Corp. $& $1 \u0000 🦊 某 公司'
    for (const kind of ['year', 'company'] as const) {
      for (let variant = 0; variant < 4; variant++) {
        const twin = makeTwin(
          { name: `${signs}.pdf`, title: signs, text: signs.repeat(20) },
          kind,
          variant,
          1,
        )
        expect(twin.title).not.toBe(signs)
      }
    }
  })
})
