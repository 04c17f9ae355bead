import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rulesJudge } from '../../../src/score/contract/judge.ts'
import { findBestAssignment } from '../../../src/score/strict/assignment.ts'
import { compareStrictly } from '../../../src/score/strict/compare.ts'
import { rateStrictly } from '../../../src/score/strict/rate-cell.ts'
import { readGoldTable } from '../../../src/score/table/gold-table.ts'
import { readColumnUnit } from '../../../src/text/column-units.ts'
import { readPeriod } from '../../../src/text/dates.ts'

const rate = (
  gold: string,
  predicted: string,
  column = 'Value',
  numeric = false,
  predictedColumn = column,
) => {
  const verdict = rateStrictly(gold, predicted, { gold: column, predicted: predictedColumn, numeric })
  return verdict === null ? null : [verdict.score, verdict.rule]
}

describe('a cell under scorer strict', () => {
  it.each([
    ['', '—', [1, 'both-empty']],
    ['5', '', [0, 'one-empty']],
    ['1,234.50', '1234.5', [1, 'number']],
    ['-1234', '(1,234)', [1, 'number']],
    ['4500000', '4.5 million', [1, 'number-scale']],
    ['35000', '3.5万', [1, 'number-scale']],
    ['35000', '三万五千', [1, 'number-scale']],
    ['5', '$5', [1, 'number-currency']],
    ['¥5', '$5', [0, 'currency-different']],
    ['2 kg', '2000 克', [1, 'number-unit']],
    ['2 kg', '2', [1, 'number-unit']],
    ['2 kg', '2 km', [0, 'unit-different']],
    ['三年六个月', '42 months', [1, 'number-unit']],
    ['0.1236', '12.36%', [1, 'number-percent']],
    ['100', '101', [0, 'number-different']],
    ['2021年3月4日', 'March 4, 2021', [1, 'date']],
    ['2021-03-04', '2021-04-03', [0, 'date-different']],
    ['FY2025 Q2', 'second quarter of fiscal 2025', [1, 'date']],
    ['2024年半年度报告', 'H1 2024', [1, 'date']],
    ['2024年上半年', 'H1 2024', [1, 'date']],
    ['2021', '2021年度', [1, 'date']],
    ['盗窃罪、诈骗罪', '诈骗罪,盗窃罪', [1, 'list']],
    ['["a", "b"]', 'a', [0.4, 'list']],
    ['Amazon.com, Inc.', 'AMAZON.COM INC', [1, 'normalised-equal']],
    ['007', '7', null],
    ['万元', '亿元', null],
    ['千元', '1000', null],
    ['apple', 'pear', null],
  ])('%s against %s', (gold, predicted, expected) => {
    expect(rate(gold, predicted)).toEqual(expected)
  })

  it('reads numbers in percent columns as percentages', () => {
    expect(rate('12.36', '12.36%', 'Margin (%)', true)).toEqual([1, 'number-percent'])
    expect(rate('12.36', '0.1236', 'Margin (%)', true)).toEqual([0, 'number-different'])
    expect(rate('0.5', '50%', 'Debt to Asset Ratio', true)).toEqual([1, 'number-percent'])
  })

  it('reads the scale that a header states', () => {
    expect(rate('4500000', '4.5', 'Revenue (USD)', true, 'Revenue (USD millions)')).toEqual([
      1,
      'number-header-scale',
    ])
    expect(readColumnUnit('营业收入（万元）').scale).toBe(1e4)
    expect(readColumnUnit('Millions of users').scale).toBeNull()
  })

  it.each([
    ['5', '5', 'Revenue (USD millions)', 'Revenue (USD)', 0],
    ['5', '5,000,000', 'Revenue (USD millions)', 'Revenue (USD)', 1],
    ['5', '5', 'Revenue (USD millions)', 'Revenue', 1],
    ['5', '5,000,000', 'Revenue (USD millions)', 'Revenue', 1],
    ['5', '5 million', 'Revenue (USD millions)', 'Revenue', 1],
    ['5', '5', 'Revenue (USD millions)', 'Revenue (USD thousands)', 0],
    ['5', '5,000', 'Revenue (USD millions)', 'Revenue in thousands', 1],
    ['5', '5', 'Revenue (USD)', 'Revenue', 1],
    ['5', '5', 'Revenue', 'Revenue', 1],
    ['5', '5', 'Revenue', 'Revenue (USD millions)', 0],
    ['50000', '5', '营业收入(元)', '营业收入（万元）', 1],
    ['5', '5', '营业收入(元)', '营业收入（万元）', 0],
    ['5', '5', 'Revenue (USD)', 'Revenue (CNY)', 0],
    ['5', '5', 'Revenue (USD)', 'revenue_cny', 0],
    ['5', '5', 'Revenue (CNY)', '营业收入（元）', 1],
    ['5', '5', 'Revenue (CNY)', 'Revenue (¥)', 1],
    ['5', '¥5', 'Revenue (JPY)', 'Revenue (JPY)', 1],
    ['5', '$5', 'Revenue (CNY)', 'Revenue', 0],
    ['5', 'CNY 5', 'Revenue (CNY)', 'Revenue (USD)', 1],
    ['5', '5', 'Euro area growth', 'Growth (USD)', 1],
    ['0.5', '0.5%', 'Debt to Asset Ratio', 'Debt to Asset Ratio', 0],
    ['0.5', '50%', 'Debt to Asset Ratio', 'Debt to Asset Ratio', 1],
    ['0.5', '50', 'Debt to Asset Ratio', 'Debt to Asset Ratio (%)', 1],
    ['45.3', '45.3%', 'Debt to Asset Ratio', 'Debt to Asset Ratio', 0],
    ['45.3', '45.3%', 'Debt to Asset Ratio (%)', 'Debt to Asset Ratio', 1],
    ['1.5', '1.5%', 'Current ratio', 'Current ratio', 0],
    ['12.36', '12.36%', 'Value', 'Value', 0],
    ['7.1', '7.1%', 'Exchange rate', 'Exchange rate', 0],
    ['0.1236', '12.36%', 'Gross margin', 'Gross margin', 1],
    ['12.36', '12.36%', 'Gross margin', 'Gross margin', 1],
    ['12.36', '12.36%', '毛利率', '毛利率', 1],
    ['7.1', '7.1%', '汇率', '汇率', 0],
    ['45.3', '45.3', 'Debt to Asset Ratio', 'Debt to Asset Ratio (%)', 1],
    ['12.36', '12.36', 'Margin (%)', 'Margin', 1],
  ])('reads %s and %s as their columns %s and %s say', (gold, predicted, column, predictedColumn, score) => {
    expect(rate(gold, predicted, column, true, predictedColumn)?.[0]).toBe(score)
  })

  it('does not read dates that do not exist', () => {
    expect([
      readPeriod('2023-02-29'),
      readPeriod('2024-02-29'),
      readPeriod('13 March'),
      readPeriod('2024-13-01'),
    ]).toEqual([null, '2024-02-29', null, null])
  })
})

describe('the optimal assignment', () => {
  it('reaches the same total as trying every assignment', () => {
    const matrix = fc.integer({ min: 1, max: 4 }).chain(columns =>
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    const best = (weights: number[][], row = 0, used = 0): number =>
      row === weights.length
        ? 0
        : Math.max(
            best(weights, row + 1, used),
            ...weights[row]!.map((w, j) =>
              used & (1 << j) ? 0 : w + best(weights, row + 1, used | (1 << j)),
            ),
          )
    fc.assert(
      fc.property(matrix, weights => {
        const columns = findBestAssignment(weights)
        const taken = columns.filter(column => column >= 0)
        expect(new Set(taken).size).toBe(taken.length)
        const total = columns.reduce((sum, column, row) => sum + (column < 0 ? 0 : weights[row]![column]!), 0)
        expect(total).toBe(best(weights))
      }),
    )
  })
})

describe('rows under scorer strict', () => {
  const compare = (keys: string[], rows: string[][], values = keys.map((_, i) => String(i))) => {
    const gold = readGoldTable({
      keyColumns: ['k'],
      targetColumns: ['v'],
      numericColumns: ['v'],
      rows: keys.map((k, i) => ({ k, v: values[i]! })),
    })
    return compareStrictly({ gold, answer: { header: ['k', 'v'], rows }, judge: rulesJudge })
  }

  it('matches repeated keys by their cells, each row once', async () => {
    const result = await compare(
      ['a', 'a', 'a'],
      [
        ['a', '2'],
        ['a', '0'],
        ['a', '1'],
        ['a', '7'],
      ],
    )
    expect(result.matchedRows).toBe(3)
    expect(result.cells.map(cell => cell.rating.score)).toEqual([1, 1, 1])
  })

  it('never matches a similar row when another row has the exact key', async () => {
    const result = await compare(
      ['annual report 2020 a', 'annual report 2020 b'],
      [
        ['annual report 2020 b', '1'],
        ['annual report 2020', '0'],
      ],
    )
    expect(result.cells.map(cell => cell.predicted)).toEqual(['0', '1'])
  })

  it('prefers the exact key even when two similar ones could be matched instead', async () => {
    const keys = ['quarterly report 2020 alpha', 'quarterly report 2020 alphb']
    const result = await compare(keys, [
      ['quarterly report 2020 alpha', '0'],
      ['quarterly report 2020 alphx', '1'],
    ])
    expect(result.cells.map(cell => cell.predicted)).toEqual(['0', '1'])
  })

  it('matches a key that is empty after normalisation only with an identical key', async () => {
    expect((await compare(['——'], [['？', '0']])).matchedRows).toBe(0)
    expect(
      (
        await compare(
          ['——', '（）', ''],
          ['（）', '——', ''].map(key => [key, '0']),
        )
      ).matchedRows,
    ).toBe(2)
  })
})
