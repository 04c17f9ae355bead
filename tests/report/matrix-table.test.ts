import { expect, it } from 'vitest'
import { countTableCsv } from '../../src/report/compare/count-table-text.ts'
import { countTables } from '../../src/report/compare/count-tables.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { noJudge } from '../../src/score/judge/judge.ts'
import { scoreAttempt } from '../../src/score/score-attempt.ts'
import { longTableBenchTables } from '../../tasks/longtablebench-tables.ts'
import { makeAttempt } from './records.ts'

const gold = { kind: 'text', references: ['["a", "b"]'], items: ['a', 'b'] } as const
const form = { kind: 'text', isList: true } as const

/** An attempt with its score. A list of answers is a conversation. */
async function scored(task: string, tier: string, variant: string, answers: readonly string[]) {
  const taskId = `${task}-${tier}`
  const facets = { task, tier }
  const attempt = makeAttempt({
    task: taskId,
    setting: 'offline',
    over: { benchmark: 'longtablebench', facets, variant, attemptId: `${taskId}-${variant}` },
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
    scorer: 'longtablebench',
    judge: noJudge,
    clock: { now: () => 0, wallTime: () => 0 } as never,
    infrastructureFailures: 0,
    successAt: null,
  })
  return { attempt, score }
}

it("prints LongTableBench's tables with each average named", async () => {
  const right = "['a', 'b']"
  const half = "['a', 'x']"
  const formats = ['', ...['html', 'json', 'sql', 'xml', 'latex', 'csv'].map(name => `table-format=${name}`)]
  const made = await Promise.all([
    ...formats.map(variant => scored('EM', '8k', variant, [variant === '' ? right : half])),
    scored('BCF', '32k', '', [right, 'none', half]),
  ])
  const entries = joinEntries(
    made.map(({ attempt }) => attempt),
    made.map(({ score }) => score),
  )
  const tables = countTables(entries, { longtablebench: longTableBenchTables })
  expect(tables.map(({ id }) => id)).toEqual([
    'ltb-table1',
    'ltb-table2',
    'ltb-table3',
    'ltb-table4',
    'ltb-table5',
  ])
  const [table1, , , table4] = tables
  const cells = Object.fromEntries(table1!.rows[0]!.cells.map(({ column, mean }) => [column, mean]))
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
  expect(table4!.heads).toEqual(['model', 'setting', 'table-format'])
  expect(table4!.rows.map(({ names, cells }) => [names[2], cells[0]?.mean])).toContainEqual(['markdown', 1])
  expect(countTableCsv(table4!).split('\n')[0]).toBe(
    'model,setting,table-format,column,mean,answers,profile,judge',
  )
})
