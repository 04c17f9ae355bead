import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { countTables } from '../../src/report/compare/count-tables.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { pooledTables } from '../../src/report/model/pooled-layouts.ts'
import { noJudge } from '../../src/score/judge/judge.ts'
import { extractBenchTables } from '../../tasks/extract-bench/tables.ts'
import { scoreAnswer } from '../score/score-answer.ts'
import { makeAttempt } from './records.ts'

const properties = { name: { type: 'string' }, note: { type: 'string' }, year: { type: 'integer' } }
const gold = {
  kind: 'json' as const,
  schemaName: 's',
  schema: { type: 'object', properties },
  value: { name: 'a', note: 'n', year: 1 },
  text: '{"name": "a", "note": "n", "year": 1}',
}
const scoreOf = (attempt: Attempt, answerText: string) =>
  scoreAnswer({ attempt, answerText, gold, judge: noJudge })

describe("ExtractBench's Tables 5 and 7", () => {
  it('count invalid answers in the pass rate but not in accuracy on valid answers, and name each failure', async () => {
    const answers = [
      '{"name": "a", "note": "n", "year": 2}',
      '{"name": 1, "note": "n", "year": 1}',
      '```json\n{"name": "a", "note": ',
      '{"name": "a",}',
      '',
    ]
    const attempts = answers.map((_, at) =>
      makeAttempt({
        task: `task-${at}`,
        setting: 'offline',
        over: { benchmark: 'extract-bench', facets: { schema: 's' } },
      }),
    )
    const scores = await Promise.all(attempts.map((attempt, at) => scoreOf(attempt, answers[at]!)))
    const { rows: all, tables } = pooledTables(joinEntries(attempts, scores), {
      'extract-bench': extractBenchTables,
    })
    const rows = all.extraction!
    expect(tables.map(({ title }) => title)).toEqual(['Extraction by schema', 'Invalid output by failure'])
    expect(tables[1]?.columns).toEqual([
      'invalid',
      ...['empty-response', 'schema-mismatch', 'trailing-comma', 'truncated-json'],
    ])
    expect(rows.map(row => row.schema)).toEqual(['s', 'all'])
    expect(rows[1]).toMatchObject({
      n: 5,
      scored: 5,
      valid: 1,
      validRate: 1 / 5,
      fields: 15,
      passedFields: 2,
      passRate: { mean: 2 / 15 },
      accuracyOfValid: 2 / 3,
      keys: 15,
      passRateOfKeys: 2 / 15,
      wrongValues: 1,
      failures: { 'schema-mismatch': 1, 'truncated-json': 1, 'trailing-comma': 1, 'empty-response': 1 },
    })
  })
})

describe("ExtractBench's Tables 5, 7 and 8 in a comparison", () => {
  it('have a row for each arm, and compare structured output with the prompt', async () => {
    const perfect = '{"name": "a", "note": "n", "year": 1}'
    const made = [
      { task: 't0', variant: '', answer: perfect },
      { task: 't1', variant: '', answer: '{"name": "a",}' },
      { task: 't0', variant: 'structured-output=on', answer: perfect },
      { task: 't1', variant: 'structured-output=on', answer: '{"name": "a", "note": "n", "year": 2}' },
    ]
    const attempts = made.map(({ task, variant }) =>
      makeAttempt({
        ...{ task, variant, setting: 'offline' },
        over: { benchmark: 'extract-bench', facets: { schema: 's' } },
      }),
    )
    const scores = await Promise.all(attempts.map((attempt, at) => scoreOf(attempt, made[at]!.answer)))
    const tables = countTables(joinEntries(attempts, scores), { 'extract-bench': extractBenchTables })
    expect(tables.map(({ id }) => id)).toEqual(['table5', 'table5-fields', 'table7', 'table8'])
    const rowsOf = (id: string) =>
      tables
        .find(table => table.id === id)
        ?.rows.map(({ names, cells }) => [...names, ...cells.map(({ part, whole }) => `${part}/${whole}`)])
    expect(rowsOf('table5')).toEqual([
      ['extractive', 'offline', '1/2', '3/6', '3/6', '3/3'],
      ['extractive', 'offline [structured-output=on]', '2/2', '5/6', '5/6', '5/6'],
      ['all arms', '', '3/4', '8/12', '8/12', '8/9'],
    ])
    expect(rowsOf('table7')).toEqual([
      ['trailing-comma', '1/null', '0/null'],
      ['all', '1/null', '0/null'],
    ])
    expect(rowsOf('table8')).toEqual(rowsOf('table5')?.slice(0, 2))
  })
})
