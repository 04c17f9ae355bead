import { describe, expect, it } from 'vitest'
import { type Judge, noJudge, rulesJudge } from '../../../src/score/contract/judge.ts'
import { measureOverlap } from '../../../src/score/fuzzy/overlap.ts'
import { readGoldTable } from '../../../src/score/table/gold-table.ts'
import { compareAsPaper } from '../../../tasks/aoe/compare-as-paper.ts'

const gold = readGoldTable({
  keyColumns: ['案件名'],
  targetColumns: ['罪名', '罚金'],
  numericColumns: ['罚金'],
  rows: [
    { 案件名: '张三盗窃案', 罪名: '["盗窃罪", "诈骗罪"]', 罚金: '10,000' },
    { 案件名: '李四诈骗案（一审）', 罪名: '诈骗罪', 罚金: null },
    { 案件名: '李四诈骗案（一审）', 罪名: '抢劫罪', 罚金: '5%' },
  ],
})
const rows = [
  ['李四诈骗案(一审)', '诈骗罪。', ''],
  ['张三盗窃案', '盗窃罪', '10000'],
  ['李四诈骗案（一审）', '抢夺罪', '0.05'],
]
const compare = (judge: Judge) =>
  compareAsPaper({ gold, answer: { header: ['案件名称', '罪名', '罚金（元）'], rows }, judge })

describe('scorer paper', () => {
  it('returns hand-computed scores for a Chinese table by rules', async () => {
    const result = await compare(rulesJudge)
    // Row 1 matches the first gold row of that key after NFKC, row 3 the second: each gold row once.
    expect(result.cells.map(cell => [cell.predicted, cell.rating.score, cell.rating.rule])).toEqual([
      ['盗窃罪', 0.4, 'list'],
      ['10000', 1, 'numeric'],
      ['诈骗罪。', 1, 'normalised-equal'],
      ['', 1, 'both-empty'],
      ['抢夺罪', 0, 'different'],
      ['0.05', 1, 'numeric'],
    ])
    const sum = result.cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0)
    expect(sum).toBeCloseTo(4.4, 12)
    expect(measureOverlap(sum, 6, 6).f1).toBeCloseTo(4.4 / 6, 12)
  })

  it('aligns only equal names and keys without a judge', async () => {
    const result = await compare(noJudge)
    // The key column has another name, so no row matches.
    expect([result.matchedRows, result.matchedTargets, result.spuriousColumns]).toEqual([0, 1, 2])
  })

  it('never matches a gold row twice, nor a key that is empty after normalisation', async () => {
    const one = readGoldTable({
      keyColumns: ['k'],
      targetColumns: ['v'],
      numericColumns: [],
      rows: [
        { k: 'x', v: '1' },
        { k: '——', v: '2' },
      ],
    })
    const answer = {
      header: ['k', 'v'],
      rows: [
        ['x', '1'],
        ['x', '1'],
        ['？', '2'],
      ],
    }
    expect((await compareAsPaper({ gold: one, answer, judge: rulesJudge })).matchedRows).toBe(1)
  })

  it('never matches a row with a similar key while a row with the exact key follows', async () => {
    const table = (keys: string[]) => keys.map(key => ({ k: key, v: key.replace(/\D/g, '') }))
    const reports = readGoldTable({
      keyColumns: ['k'],
      targetColumns: ['v'],
      numericColumns: ['v'],
      rows: table(['Annual Report 2023', 'Annual Report 2024']),
    })
    const cellF1 = async (...keys: string[]) => {
      const answer = { header: ['k', 'v'], rows: table(keys).map(({ k, v }) => [k, v]) }
      const { cells } = await compareAsPaper({ gold: reports, answer, judge: rulesJudge })
      const sum = cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0)
      return measureOverlap(sum, keys.length, 2).f1
    }
    expect(await cellF1('Annual Report 2022', 'Annual Report 2023', 'Annual Report 2024')).toBeCloseTo(0.8)
    expect(await cellF1('Annual Report 2024', 'Annual Report 2022', 'Annual Report 2023')).toBeCloseTo(0.8)
    // The same holds for a key that is equal except for case and punctuation.
    expect(await cellF1('Annual Report 2022', 'annual report: 2023', 'ANNUAL REPORT 2024')).toBeCloseTo(0.8)
  })
})
