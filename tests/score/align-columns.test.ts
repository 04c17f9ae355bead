import { describe, expect, it } from 'vitest'
import { alignByName, alignByRules } from '../../src/score/align/align-columns.ts'
import { synonyms } from '../../src/score/align/synonyms.ts'

describe('aligning columns by rules', () => {
  it('sees through case, punctuation, units in brackets and plurals', () => {
    expect(
      alignByRules(
        ['Total Assets (CNY)', 'Net Profit (CNY)', 'Lender'],
        ['lenders', 'net_profit', 'total assets'],
      ),
    ).toEqual([2, 1, 0])
  })

  it('knows field names in both languages', () => {
    expect(
      alignByRules(
        ['文档名称', '报表所属期', '资产总额(元)', '经营活动现金流量净额(元)', '资产负债率(%)'],
        ['文件名', '报告期', '总资产（元）', '经营活动产生的现金流量净额', '负债率'],
      ),
    ).toEqual([0, 1, 2, 3, 4])
    expect(alignByRules(['Filename', 'Weighted Average Return on Equity (%)'], ['Document', 'ROE'])).toEqual([
      0, 1,
    ])
    expect(alignByRules(['案件名', '被告', '处罚金'], ['案件名称', '被告人', '罚金'])).toEqual([0, 1, 2])
  })

  it('keeps a quantity apart from its growth, ratio and share', () => {
    expect(
      alignByRules(
        ['Net Profit (CNY)'],
        ['Net Profit Margin (%)', 'Net Profit Growth Rate (%)', 'Net Profit per Share'],
      ),
    ).toEqual([null])
    expect(alignByRules(['净资产'], ['净资产收益率', '每股净资产', '净资产增长率'])).toEqual([null])
    expect(alignByRules(['Company Address'], ['Company Phone'])).toEqual([null])
  })

  it('is one to one, the best pair first', () => {
    expect(alignByRules(['Revenue', 'Revenue (CNY)'], ['Revenue (CNY)', 'revenue'])).toEqual([1, 0])
    expect(
      alignByRules(['Net Cash Provided by Operating Activities, six months (USD)'], ['Operating cash flow']),
    ).toEqual([0])
  })

  it('by name takes equal names alone', () => {
    expect(alignByName(['a', 'B'], ['b', 'a'])).toEqual([1, null])
  })

  it('has each phrase under one concept', () => {
    const phrases = Object.values(synonyms).flat()
    expect(phrases.filter((phrase, i) => phrases.indexOf(phrase) !== i)).toEqual([])
  })
})
