import { describe, expect, it } from 'vitest'
import { alignByName, alignByRules } from '../../src/score/align/align-columns.ts'
import { synonyms } from '../../src/score/align/synonyms.ts'
import type { Judge } from '../../src/score/contract/judge.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { alignWithJudge } from '../../src/score/table/raw-comparison.ts'

describe('aligning columns by rules', () => {
  it('ignores case, punctuation, units in brackets and plurals', () => {
    expect(
      alignByRules(
        ['Total Assets (CNY)', 'Net Profit (CNY)', 'Lender'],
        ['lenders', 'net_profit', 'total assets'],
      ),
    ).toEqual([2, 1, 0])
  })

  it('recognises field names in both languages', () => {
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

  it('distinguishes a quantity from its growth, ratio and share', () => {
    expect(
      alignByRules(
        ['Net Profit (CNY)'],
        ['Net Profit Margin (%)', 'Net Profit Growth Rate (%)', 'Net Profit per Share'],
      ),
    ).toEqual([null])
    expect(alignByRules(['净资产'], ['净资产收益率', '每股净资产', '净资产增长率'])).toEqual([null])
    expect(alignByRules(['Company Address'], ['Company Phone'])).toEqual([null])
  })

  it.each([
    ['Revenue (CNY)', 'Cost of Revenue'],
    ['Total Liabilities (CNY)', 'Total Liabilities and Equity'],
    ['Asset Growth Rate (%)', 'Revenue Growth Rate (%)'],
    ['Net Profit per Share', 'Net Asset per Share'],
    ['Earnings per Share', 'Equity per Share'],
    ['Year', 'Year of Birth'],
    ['所有者权益(元)', '负债和所有者权益总计'],
    ['所有者权益(元)', '少数股东权益'],
    ['负债总额(元)', '流动负债'],
  ])('does not take %s and %s for one quantity', (gold, predicted) => {
    expect([alignByRules([gold], [predicted]), alignByRules([predicted], [gold])]).toEqual([[null], [null]])
  })

  it.each([
    ['Liability-to-Asset Ratio (%)', 'Liabilities to Total Assets Ratio'],
    ['Revenue (USD)', 'Revenue from Sales'],
    ["Total stockholders' equity (CNY)", 'Equity attributable to owners of the company'],
    ['Year of Birth', 'Birth Year'],
    ['所有者权益(元)', '归属于母公司股东的所有者权益'],
  ])('still treats %s and %s as one quantity', (gold, predicted) => {
    expect(alignByRules([gold], [predicted])).toEqual([0])
  })

  it('is one to one, best pair first', () => {
    expect(alignByRules(['Revenue', 'Revenue (CNY)'], ['Revenue (CNY)', 'revenue'])).toEqual([1, 0])
    expect(
      alignByRules(['Net Cash Provided by Operating Activities, six months (USD)'], ['Operating cash flow']),
    ).toEqual([0])
  })

  it('aligns only equal names when asked to align by name', () => {
    expect(alignByName(['a', 'B'], ['b', 'a'])).toEqual([1, null])
  })

  it('has each phrase in one concept only', () => {
    const phrases = Object.values(synonyms).flat()
    expect(phrases.filter((phrase, i) => phrases.indexOf(phrase) !== i)).toEqual([])
  })
})

it('leaves a column without a partner when the judge does not name it, whatever its name', async () => {
  const judge: Judge = {
    kind: 'model',
    name: 'scripted',
    batch: false,
    ask: async request => ({
      value: request.parse('{"driver": "who"}'),
      failure: null,
      calls: 1,
      inputTokens: 0,
      outputTokens: 0,
      usd: 0,
    }),
  }
  const aligned = await alignWithJudge(['driver', 'constructor'], ['who', 'what'], judge, createTally())
  expect(aligned).toEqual([0, null])
})
