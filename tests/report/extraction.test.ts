import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { makeBenchmarkTables } from '../../src/report/model/benchmark-tables.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { noJudge } from '../../src/score/contract/judge.ts'
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
    const [extraction, failures] = makeBenchmarkTables(
      joinEntries(attempts, scores),
      { 'extract-bench': extractBenchTables },
      { kind: 'reportTables' },
    )
    expect(extraction?.title).toBe('Extraction by schema (scorer extract-bench, judge none)')
    expect(failures?.title).toBe('Invalid output by failure (scorer extract-bench, judge none)')
    expect(makeTextTable(failures!).columns.map(({ head }) => head)).toEqual([
      ...['schema', 'setting', 'invalid'],
      ...['empty-response', 'schema-mismatch', 'trailing-comma', 'truncated-json'],
    ])
    expect(makeTextTable(failures!).rows).toEqual([
      ['s', 'offline', '4', '1', '1', '1', '1'],
      ['all', 'offline', '4', '1', '1', '1', '1'],
    ])
    const [header, row, all] = writeTableCsv(extraction!)
      .trim()
      .split('\n')
      .map(line => line.split(','))
    expect([row![0], all![0]]).toEqual(['s', 'all'])
    const cells = Object.fromEntries(header!.map((name, at) => [name, all![at]]))
    expect(cells).toMatchObject({
      ...{ n: '5', scored: '5', answered: String(1 / 5), fields: '15', 'passed fields': '2' },
      ...{ pass: String(2 / 15), 'acc (answered)': String(2 / 3), keys: '15' },
      ...{ 'of keys': String(2 / 15), wrong: '1' },
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
    const tables = makeBenchmarkTables(
      joinEntries(attempts, scores),
      { 'extract-bench': extractBenchTables },
      { kind: 'compareTables' },
    )
    expect(tables.map(({ id }) => id)).toEqual(['table5', 'table5-fields', 'table7', 'table8'])
    const rowsOf = (id: string) => {
      const { rows } = makeTextTable(tables.find(table => table.id === id)!)
      return rows.map(row => row.map(text => text.split(' (')[0]))
    }
    expect(rowsOf('table5')).toEqual([
      ['offline', '1/2', '3/6', '3/6', '3/3'],
      ['offline [structured-output=on]', '2/2', '5/6', '5/6', '5/6'],
      ['all arms', '3/4', '8/12', '8/12', '8/9'],
    ])
    expect(rowsOf('table7')).toEqual([
      ['trailing-comma', '1', '0'],
      ['all', '1', '0'],
    ])
    expect(rowsOf('table8')).toEqual(rowsOf('table5').slice(0, 2))
  })
})
