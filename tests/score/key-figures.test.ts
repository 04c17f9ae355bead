import { describe, expect, it } from 'vitest'
import { writeDifferentFiguresNote } from '../../src/report/model/report-notes.ts'
import { scoreTableCase } from '../../src/run/score-files/score-table-batch.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { readGoldTable } from '../../src/score/table/gold-table.ts'
import { findTableScorer } from '../../tasks/scorers.ts'

type Rows = readonly (readonly [key: string, value: string])[]

const caseOf = (gold: Rows, answer: Rows) => ({
  id: 'one',
  answer_csv: `Key,Value\n${answer.map(([key, value]) => `"${key}",${value}`).join('\n')}\n`,
  task: {
    ...{ record_id: 't', language: 'en', domain: 'x', query: 'q', input_doc: [] },
    ...{ key_cols: ['Key'], target_value_columns: ['Value'], numeric_columns: ['Value'] },
    answers: gold.map(([Key, Value]) => ({ Key, Value })),
  },
})
const rowF1 = async (scorer: string, gold: Rows, answer: Rows): Promise<number | null> =>
  (await scoreTableCase(caseOf(gold, answer) as Parameters<typeof scoreTableCase>[0], scorer, rulesJudge))
    .row_f1

describe('keys that differ in a figure', () => {
  it.each([
    ['a year', [['Fiscal year 2021', '5']], [['Fiscal year 2024', '5']]],
    ['a day', [['2024-03-01', '5']], [['2024-03-02', '5']]],
    ['a code', [['US0378331005', '5']], [['US0378331006', '5']]],
    ['a distance', [["Men's 100m freestyle", '5']], [["Men's 200m freestyle", '5']]],
    ['an edition', [['Handbook of Optics, 2nd edition', '5']], [['Handbook of Optics, 3rd edition', '5']]],
  ] as [string, Rows, Rows][])(
    'are joined by aoe, and not by strict and paper: %s',
    async (_, gold, answer) => {
      expect(
        await Promise.all(['strict', 'paper', 'aoe'].map(scorer => rowF1(scorer, gold, answer))),
      ).toEqual([0, 0, 1])
    },
  )

  it.each([
    ['a typing error', [['Hotel Continental Graz', '5']], [['Hotel Continental Gratz', '5']]],
    ['a typing error beside a year', [['Annual report of 2021', '5']], [['Anual report of 2021', '5']]],
    ['another order', [['31 December 2020, audited', '5']], [['audited December 31, 2020', '5']]],
  ] as [string, Rows, Rows][])('leave other similar keys as they were: %s', async (_, gold, answer) => {
    expect(await Promise.all(['strict', 'paper', 'aoe'].map(scorer => rowF1(scorer, gold, answer)))).toEqual([
      1, 1, 1,
    ])
  })

  it('do not take the row of the right key', async () => {
    const gold: Rows = [2021, 2022, 2023].map((year, at) => [`Fiscal year ${year}`, String(at)])
    const answer: Rows = [2021, 2023, 2024].map((year, at) => [`Fiscal year ${year}`, String(at)])
    expect(await rowF1('strict', gold, answer)).toBeCloseTo(2 / 3)
  })

  it('are marked in the cells that they gave', async () => {
    const gold = readGoldTable({
      ...{ keyColumns: ['k'], targetColumns: ['v'], numericColumns: ['v'] },
      rows: [{ k: 'Fiscal year 2021', v: 5 }],
    })
    const answer = { header: ['k', 'v'], rows: [['Fiscal year 2022', '5']] }
    const compared = await findTableScorer('aoe').compare({ gold, answer, judge: rulesJudge })
    const matched = compared.matchOf(0)!
    expect(matched).toEqual({ row: 0, by: 'similarity', similarity: 94, figuresDiffer: true })
    const cells = [
      { matched, score: 1 },
      { matched, score: 0 },
    ]
    expect(writeDifferentFiguresNote([{ score: { cells } }] as never)).toContain(
      'gave 1 cell (2 were compared)',
    )
    expect(writeDifferentFiguresNote([{ score: { cells: [] } }] as never)).toBeNull()
  })
})
