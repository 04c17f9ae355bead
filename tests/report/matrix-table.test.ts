import { expect, it } from 'vitest'
import type { Table } from '../../src/core/table.ts'
import { compareRuns } from '../../src/report/compare/comparison.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { noJudge } from '../../src/score/contract/judge.ts'
import { scoreAttempt } from '../../src/score/score-attempt.ts'
import { longTableBenchTables } from '../../tasks/longtablebench/tables.ts'
import { findScorer, listScorerMetrics } from '../../tasks/scorers.ts'
import { makeAttempt } from './records.ts'

const gold = { kind: 'text', references: ['["a", "b"]'], items: ['a', 'b'] } as const
const form = { kind: 'text', isList: true } as const

/** An attempt with its score. A list of answers is a conversation. */
async function scored(
  task: string,
  tier: string,
  variant: string,
  answers: readonly string[],
  { model = 'extractive', reasoningTokens = null }: { model?: string; reasoningTokens?: number | null } = {},
) {
  const taskId = `${task}-${tier}`
  const facets = { task, tier }
  const made = { task: taskId, setting: 'offline', variant }
  const { usage } = makeAttempt(made)
  const attempt = makeAttempt({
    ...made,
    over: {
      ...{ benchmark: 'longtablebench', facets, model, attemptId: `${taskId}-${model}-${variant}` },
      usage: { ...usage, reasoningTokens },
    },
  })
  const further = answers.slice(1)
  const question = {
    ...{
      taskId,
      benchmark: 'longtablebench',
      domain: 'd',
      language: 'en',
      query: 'q',
      documentNames: [],
      form,
    },
    ...(further.length === 0 ? {} : { turns: further.map(() => ({ query: 'q', form })) }),
  }
  const score = await scoreAttempt({
    attempt,
    answers,
    task: { question, gold, turnGolds: further.map(() => gold) },
    scorer: findScorer('longtablebench'),
    judge: noJudge,
    clock: { now: () => 0, wallTime: () => 0 } as never,
    infrastructureFailures: 0,
    successAt: null,
  })
  return { attempt, score }
}

/** Returns the tables of `compare` over attempts with their scores. */
function tablesOver(
  made: readonly Awaited<ReturnType<typeof scored>>[],
  reasoningModels?: readonly string[],
): readonly Table[] {
  const run = {
    manifest: { runId: 'r', startedAt: null, endedAt: null, config: {} },
    attempts: made.map(({ attempt }) => attempt),
    scores: made.map(({ score }) => score),
    scorers: listScorerMetrics(['longtablebench']),
  }
  const benchmarks = { longtablebench: longTableBenchTables }
  return compareRuns([run], {
    ...{ force: false, benchmarks },
    ...(reasoningModels === undefined ? {} : { reasoningModels }),
  }).compareTables
}

it("prints LongTableBench's tables with each average named", async () => {
  const right = "['a', 'b']"
  const half = "['a', 'x']"
  const formats = ['', ...['html', 'json', 'sql', 'xml', 'latex', 'csv'].map(name => `table-format=${name}`)]
  const made = await Promise.all([
    ...formats.map(variant => scored('EM', '8k', variant, [variant === '' ? right : half])),
    scored('BCF', '32k', '', [right, 'none', half]),
  ])
  const tables = tablesOver(made)
  expect(tables.map(({ id }) => id)).toEqual([
    'ltb-table1',
    'ltb-table2',
    'ltb-table3',
    'ltb-table4',
    'ltb-table5',
  ])
  const [table1, , , table4] = tables
  expect(table1!.columns.slice(0, 3).map(({ name }) => name)).toEqual(['group', 'model', 'setting'])
  const cells = Object.fromEntries(
    table1!.columns.map(({ name }, at) => {
      const value = table1!.rows[0]![at]
      return [name, typeof value === 'object' && value !== null && 'mean' in value ? value.mean : value]
    }),
  )
  const markdown = (1 + 1 + 0 + 0.5) / 4
  const mean = (markdown + 6 * 0.5) / 7
  expect(table1!.rows).toHaveLength(1)
  expect(cells).toMatchObject({
    EM: 4 / 7,
    BCF: 0.5,
    MD: markdown,
    CSV: 0.5,
    '8K': 4 / 7,
    '32K': 0.5,
    'All answers': 0.55,
  })
  expect(cells['Avg. of formats']).toBeCloseTo(mean, 12)
  expect(cells.Range).toBeCloseTo((markdown - 0.5) / mean, 12)
  expect(cells['All tasks']).toBeCloseTo((4 / 7 + 0.5) / 2, 12)
  expect(cells).not.toHaveProperty('Avg. of tasks')
  expect(writeTableCsv(table4!).split('\n').slice(0, 2)).toEqual([
    'model,setting,table-format,EM',
    'extractive,offline,markdown,1',
  ])
})

/** Returns the groups and names of the rows of Table 1. */
async function rowsOfTable1(stated?: readonly string[]) {
  const attempts: readonly (readonly [model: string, variant: string, reasoningTokens: number | null])[] = [
    ['openai:counted', '', 70],
    ['openai:silent', '', null],
    ['openai:acme/quiet', '', null],
    ['openai:both', 'reasoning-effort=high', null],
    ['openai:both', 'reasoning-effort=none', 0],
    ['openai:plain', '', 0],
  ]
  const made = await Promise.all(
    attempts.map(([model, variant, reasoningTokens]) =>
      scored('EM', '8k', variant, ["['a', 'b']"], { model, reasoningTokens }),
    ),
  )
  const [table1] = tablesOver(made, stated)
  return makeTextTable(table1!).rows.map(row => row.slice(0, 3).join(' '))
}

it('separates vanilla and reasoning models by their records, and says where these prove nothing', async () => {
  expect(await rowsOfTable1()).toEqual([
    'vanilla both offline [reasoning-effort=none]',
    'vanilla plain offline',
    'reasoning both offline [reasoning-effort=high]',
    'reasoning counted offline',
    'not known quiet offline',
    'not known silent offline',
  ])
})

it('believes the user about models whose records prove nothing', async () => {
  expect(await rowsOfTable1(['quiet'])).toEqual([
    'vanilla both offline [reasoning-effort=none]',
    'vanilla plain offline',
    'vanilla silent offline',
    'reasoning quiet offline',
    'reasoning both offline [reasoning-effort=high]',
    'reasoning counted offline',
  ])
  expect((await rowsOfTable1(['none'])).filter(row => row.startsWith('reasoning'))).toHaveLength(2)
  await expect(rowsOfTable1(['none', 'quiet', 'openai:silent'])).resolves.toBeDefined()
  await expect(rowsOfTable1(['quit'])).rejects.toThrow(
    expect.objectContaining({
      code: 'unknown-model',
      message: expect.stringContaining('--reasoning-models'),
    }),
  )
})
