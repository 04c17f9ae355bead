import { describe, expect, it } from 'vitest'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { compareStrictly } from '../../src/score/strict/compare.ts'
import { readGoldTable } from '../../src/score/table/gold-table.ts'
import { withoutCitationMarks } from '../../src/score/table/raw-table.ts'
import { compareAsPaper } from '../../tasks/aoe/compare-as-paper.ts'

describe('marks of sources', () => {
  it.each([
    '12[1]',
    '12 [1]',
    '12 [1][2]',
    '12 [1, 2]',
    '12 [3-5]',
    '12^[2]',
    '12 [^1]',
    '12 [[1]](https://x.org/a)',
    '12 [1](https://x.org/a)',
    '12<sup>[1]</sup>',
    '12 【3†source】',
    '12【4:0†report.pdf】',
    '12 【1】',
    '12 :contentReference[oaicite:0]{index=0}',
    '12 \ue200cite\ue202turn0search1\ue201',
    '[cite_start]12 [cite: 1, 2]',
    '12 (source: report.pdf)',
    '12 (Source: https://x.org/a)',
    '12 (see report.pdf)',
    '12 (report.pdf, p. 3)',
    '12 [report.pdf]',
    '12 (doc 3)',
    '12 (p. 3)',
    '12 ([x.org](https://x.org/a))',
    '12 [source](https://x.org/a)',
    '12（来源：年报）',
    '[12](https://x.org/a)',
  ])('are left out of %s', text => {
    expect(withoutCitationMarks(text)).toBe('12')
  })

  it.each([
    '[1]',
    '[1], [2]',
    'report.pdf',
    '12 (estimated)',
    '12 [2021]',
    'Fe(III)',
    '(12)',
    '12 [kg]',
    'a[1]b',
    '12 [xyz: 3]',
    '12 (xyz)',
    '10<sup>6</sup>',
  ])('are nothing else: %s', text => {
    expect(withoutCitationMarks(text)).toBe(text)
  })

  it('are left out of items of a list', () => {
    expect(withoutCitationMarks('Ann [1]; Bob [2]')).toBe('Ann; Bob')
  })

  it('take bounded time', () => {
    for (const text of [
      '[1] '.repeat(20_000),
      `a${' '.repeat(50_000)}b(`,
      '('.repeat(50_000),
      '[1,'.repeat(20_000),
    ])
      expect(withoutCitationMarks(text).length).toBeLessThanOrEqual(text.length)
  })
})

describe.each([
  ['strict', compareStrictly],
  ['paper', compareAsPaper],
] as const)('an answer with marks under %s', (_, compare) => {
  const score = async (gold: string, predicted: string, key = 'a'): Promise<number | null> => {
    const rows = [{ K: 'a', Name: gold }]
    const table = readGoldTable({ keyColumns: ['K'], targetColumns: ['Name'], numericColumns: [], rows })
    const answer = { header: ['K', 'Name'], rows: [[key, predicted]] }
    return (await compare({ gold: table, answer, judge: rulesJudge })).cells[0]!.rating.score
  }

  it('is compared without them, also in its keys', async () => {
    expect(await score('Berlin', 'Berlin [1]')).toBe(1)
    expect(await score('Berlin', 'Berlin (source: a.pdf)', 'a [2]')).toBe(1)
    expect(await score('Berlin', 'Bern [1]')).toBe(0)
  })

  it('keeps them where the gold has such marks', async () => {
    expect(await score('x[1]', 'x[2]')).toBe(0)
    expect(await score('x[1]', 'x')).toBe(0)
    expect(await score('x[1]', 'x[1]')).toBe(1)
    expect(await score('https://x.org/a', '[b](https://x.org/a)')).toBe(0)
  })
})
