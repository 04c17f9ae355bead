import { expect, it } from 'vitest'
import { scoreTableCase } from '../../../src/run/score-files/score-table-batch.ts'
import type { TableCase } from '../../../src/run/score-files/table-case.ts'
import type { ModelJudge } from '../../../src/score/contract/judge.ts'

/** A judge that never replies in the required form. */
const failing: ModelJudge = {
  kind: 'model',
  name: 'openai:failing',
  batch: false,
  ask: async () => ({
    value: null,
    failure: 'out of form',
    calls: 3,
    inputTokens: 0,
    outputTokens: 0,
    usd: null,
  }),
}

const oneFirm: TableCase = {
  id: 'firm',
  task: {
    answers: [
      { name: 'Elm', period: 'FY2025 Q2', revenue: '5' },
      { name: 'Fir', period: 'FY2025 Q2', revenue: '7' },
    ],
    key_cols: ['name'],
    target_value_columns: ['period', 'revenue'],
    numeric_columns: ['revenue'],
  },
  answer_csv: 'name,period,revenue\nElm,second quarter,5\nFir,FY2025 Q2,8\n',
}

it('counts a cell that a judge did not decide on neither side, and reports the number of such cells', async () => {
  expect(await scoreTableCase(oneFirm, 'paper', failing)).toMatchObject({
    unscored_cells: 1,
    num_matched_rows: 2,
    tp_score_sum: 2,
    cell_precision: 2 / 3,
    cell_recall: 2 / 3,
    total_compared_cells_in_matched: 3,
    average_cell_score_in_matched: 2 / 3,
  })
})

it('returns null, never 0, when the judge failed before a cell could be compared', async () => {
  const renamed = { ...oneFirm, answer_csv: 'firm,turnover\nElm,5\n' }
  const score = await scoreTableCase(renamed, 'aoe', failing)
  expect(score).toMatchObject({ unscored_cells: 4, num_gold_rows: 2, row_f1: null, cell_f1: null })
  expect(score.num_original_mapped_rows).toBeNull()
})

it('counts a row that a judge failed to match on neither side, and at most as many gold rows', async () => {
  const firms = ['Elm', 'Fir', 'Oak', 'Ash', 'Yew'].map(name => ({ name, revenue: '5' }))
  const task = {
    answers: firms,
    key_cols: ['name'],
    target_value_columns: ['revenue'],
    numeric_columns: ['revenue'],
  }
  const answer = 'name,revenue\nElm,5\nFir,4\nsomebody else,5\n'
  for (const scorer of ['aoe', 'paper', 'strict']) {
    const score = await scoreTableCase({ id: 'firms', task, answer_csv: answer }, scorer, failing)
    expect(score).toMatchObject({ unscored_cells: 1, num_matched_rows: 2, row_precision: 1, row_recall: 0.5 })
    expect(score).toMatchObject({ cell_precision: 0.5, cell_recall: 0.25 })
  }
  const lost = await scoreTableCase(
    { id: 'lost', task, answer_csv: 'name,revenue\nnobody,5\n' },
    'aoe',
    failing,
  )
  expect(lost).toMatchObject({ unscored_cells: 5, row_f1: null, cell_f1: null })
})
