import { expect, it } from 'vitest'
import { namedDocuments, type TableGold, type Task } from '../../src/core/task.ts'
import { validateTasks } from '../../tasks/validate/validate-tasks.ts'

const sound: TableGold = {
  kind: 'table',
  keyColumns: ['Hotel'],
  targetColumns: ['Beds', 'Town'],
  numericColumns: ['Beds'],
  rows: [
    { Hotel: 'Alder', Beds: 12, Town: 'Ulm' },
    { Hotel: 'Birch', Beds: 30, Town: 'Graz' },
  ],
}

function taskOf(gold: Partial<TableGold>, taskId = 'hotels', line = 1): Task {
  return {
    question: {
      taskId,
      benchmark: 'any',
      domain: 'general',
      language: 'en',
      query: 'q',
      documentNames: ['a.txt'],
      form: { kind: 'table' },
    },
    gold: { ...sound, ...gold },
    ...namedDocuments(['a.txt']),
    source: { file: 'tasks.jsonl', line },
  }
}

const validate = (...tasks: Task[]) => validateTasks('tasks.jsonl', { tasks, skipped: [] }, ['table'])

it('finds nothing in a sound task', () => {
  expect(validate(taskOf({}))).toMatchObject({ tasks: [{}], skipped: [], problems: [] })
})

it.each([
  ['key-and-target', 'error', { keyColumns: ['Hotel', 'Town'] }, /'Town' is both a key and a target/],
  [
    'numeric-not-target',
    'error',
    { numericColumns: ['Bed'] },
    /'Bed' is not a target column. Did you mean 'Beds'/,
  ],
  ['unknown-column', 'error', { keyColumns: ['Hotle'] }, /'Hotle' is in no gold row. Did you mean 'Hotel'/],
  ['unknown-column', 'error', { targetColumns: [], numericColumns: [] }, /no target column is named/],
  [
    'unknown-column',
    'warning',
    { targetColumns: ['Beds', 'Twon'] },
    /'Twon' .* not scored. Did you mean 'Town'/,
  ],
  [
    'empty-gold',
    'warning',
    { rows: [...sound.rows, { Hotel: 'Cedar', Beds: 1, Town: ' ' }] },
    /'Town' is empty in gold row 3/,
  ],
  [
    'duplicate-gold-key',
    'warning',
    { rows: [...sound.rows, { Hotel: ' Alder', Beds: 1, Town: 'x' }] },
    /rows 1, 3 .*'Alder'/,
  ],
] as const)('names %s as %s, with place and fix', (code, severity, gold, message) => {
  const { tasks, skipped, problems } = validate(taskOf(gold, 'hotels', 7))
  expect(problems).toMatchObject([
    {
      code,
      severity,
      file: 'tasks.jsonl',
      line: 7,
      taskId: 'hotels',
      message: expect.stringMatching(message),
    },
  ])
  expect(tasks).toHaveLength(severity === 'error' ? 0 : 1)
  expect(skipped.map(record => [record.recordId, record.line, record.code])).toEqual(
    severity === 'error' ? [['hotels', 7, code]] : [],
  )
})

it('keeps the first of two tasks with one id, whatever the benchmark', () => {
  const { tasks, skipped, problems } = validate(taskOf({}), taskOf({}, 'hotels', 2), taskOf({}, 'inns', 3))
  expect(tasks.map(task => task.source?.line)).toEqual([1, 3])
  expect(skipped).toMatchObject([{ line: 2, recordId: 'hotels', code: 'duplicate-task-id' }])
  expect(problems[0]?.message).toContain('the same id as on line 1')
})

it('lists every problem of a task, not only the first', () => {
  const { problems, skipped } = validate(taskOf({ keyColumns: ['Hotel', 'Town'], numericColumns: ['Bed'] }))
  expect(problems.map(({ code }) => code)).toEqual(['key-and-target', 'numeric-not-target'])
  expect(skipped[0]?.problem).toMatch(/both a key and a target.* is not a target column/)
})
