import { describe, expect, it } from 'vitest'
import { checkLoaded } from '../../../tasks/validate/check-loaded.ts'

const task = {
  question: {
    taskId: 'a',
    domain: 'geography',
    language: 'en',
    query: 'What is the capital of Norway?',
    documentNames: [],
    form: { kind: 'text' },
  },
  gold: { kind: 'text', references: ['Oslo'] },
  documents: [],
  evidence: null,
}
const check = (loaded: unknown) => (): void => checkLoaded('capitals', 'mine', loaded)

describe('the tasks that a plug-in loads', () => {
  it('are accepted when every task has a question, a gold and documents', () => {
    expect(check({ tasks: [task], skipped: [] })).not.toThrow()
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['tasks that are no list', { tasks: {}, skipped: [] }],
    ['no list of skipped records', { tasks: [task] }],
    ['a skipped record that is a number', { tasks: [task], skipped: [3] }],
    ['a task that is null', { tasks: [null], skipped: [] }],
    ['a task without a question', { tasks: [{ ...task, question: undefined }], skipped: [] }],
    [
      'a task id that is a number',
      { tasks: [{ ...task, question: { ...task.question, taskId: 5 } }], skipped: [] },
    ],
    ['a gold of an unknown kind', { tasks: [{ ...task, gold: { kind: 'picture' } }], skipped: [] }],
    [
      'a reference that is a number',
      { tasks: [{ ...task, gold: { kind: 'text', references: [5] } }], skipped: [] },
    ],
  ])('is refused when it is %s', (_, loaded) => {
    expect(check(loaded)).toThrow(expect.objectContaining({ code: 'invalid-tasks' }))
  })

  it('are refused with the names of the plug-in, the benchmark and the wrong member', () => {
    expect(check({ tasks: [task, { ...task, gold: undefined }], skipped: [] })).toThrow(
      /plug-in mine: benchmark capitals: .*tasks\[1\]\.gold: is missing/,
    )
  })
})
