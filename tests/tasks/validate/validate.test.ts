import { expect, it } from 'vitest'
import type { TableGold } from '../../../src/core/gold.ts'
import { namedDocuments, type Question, type Task } from '../../../src/core/task.ts'
import { validateTasks } from '../../../tasks/validate/validate-tasks.ts'

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

it('finds no problem in a valid task', () => {
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

it('keeps the first of two tasks with the same id', () => {
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

const textTask = (more: Partial<Task>, question: Partial<Question> = {}): Task => {
  const { question: own, ...rest } = taskOf({})
  return {
    ...rest,
    gold: { kind: 'text', references: ['a'] },
    ...more,
    question: { ...own, form: { kind: 'text' }, ...question },
  }
}
const list: Task['gold'] = { kind: 'text', references: ['a\nb'], items: ['a', 'b'] }
const unknown: Task['evidence'] = { kind: 'documents', names: ['b.txt'] }

it.each([
  ['empty-gold', textTask({ gold: { kind: 'text', references: [' '] } })],
  [
    'empty-gold',
    textTask(
      { gold: { kind: 'text', references: ['a'], items: ['a', ''] } },
      { form: { kind: 'text', isList: true } },
    ),
  ],
  ['kind-mismatch', textTask({}, { form: { kind: 'json', schema: {} } })],
  ['kind-mismatch', textTask({ gold: list })],
  ['kind-mismatch', taskOf({})],
  ['turns-mismatch', textTask({}, { turns: [{ query: 'more?', form: { kind: 'text' } }] })],
  ['invalid-document-name', textTask({}, { documentNames: ['a.txt', 'a.txt'] })],
  ['invalid-evidence', textTask({ evidence: unknown })],
  ['invalid-evidence', textTask({ evidence: { kind: 'urls', urls: [{ url: 'page' }] } })],
  ['invalid-facet', textTask({}, { facets: { domain: 'x' } })],
  ['invalid-facet', textTask({}, { facets: { 'task type': 'x' } })],
  ['invalid-facet', textTask({}, { facets: JSON.parse('{"constructor": "x"}') })],
  ['invalid-record', textTask({}, { query: ' ' })],
] as const)('leaves out a task of any kind with %s', (code, task) => {
  const { tasks, problems } = validateTasks('t', { tasks: [task], skipped: [] }, ['text', 'json'])
  expect(tasks).toEqual([])
  expect(problems).toMatchObject([{ code, severity: 'error', taskId: 'hotels' }])
})

it('accepts texts, lists and conversations without documents or evidence', () => {
  const alone = { documents: [], evidence: null }
  const turns = [{ query: 'more?', form: { kind: 'text' } as const }]
  const sounds = [
    textTask(alone, { documentNames: [], facets: { tier: 'hard' } }),
    textTask(
      { ...alone, gold: list },
      { taskId: 'l', documentNames: [], form: { kind: 'text', isList: true } },
    ),
    textTask(
      { ...alone, turnGolds: [{ kind: 'text', references: ['b'] }] },
      { taskId: 't', documentNames: [], turns },
    ),
  ]
  expect(validateTasks('t', { tasks: sounds, skipped: [] }, ['text']).problems).toEqual([])
})
