import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/core/task.ts'
import { attemptIdOf, planAttempts } from '../../src/run/plan/plan.ts'

const task = (taskId: string): Task => ({
  question: {
    taskId,
    benchmark: 'aoe',
    domain: 'financial',
    language: 'en',
    query: 'q',
    documentNames: [],
    form: { kind: 'table' },
  },
  gold: { kind: 'table', keyColumns: ['k'], targetColumns: ['v'], numericColumns: [], rows: [] },
  documents: [],
  evidence: null,
})

describe('the plan of a run', () => {
  const planned = planAttempts({
    tasks: [task('a'), task('b')],
    settings: ['offline', 'rag', 'online'],
    models: ['extractive', 'openai:m'],
    trials: 2,
    seed: 7,
    cot: [true, false],
    unmarkedPrompts: 'own',
    prompts: ['own', 'terse'],
    armsOf: setting => [{ variant: setting === 'rag' ? ['retriever=bm25'] : [], rag: null }],
  })

  it('has tasks x settings x models x trials x variants attempts, each with an id of its own', () => {
    expect(planned).toHaveLength(2 * 3 * 2 * 2 * 2 * 2)
    expect(new Set(planned.map(attempt => attempt.attemptId)).size).toBe(planned.length)
  })

  it('names as variant what differs from the defaults and nothing else', () => {
    const variants = new Set(planned.map(attempt => `${attempt.setting} ${attempt.variant}`))
    expect(variants).toEqual(
      new Set([
        'offline ',
        'online ',
        'rag retriever=bm25',
        'offline cot=off',
        'online cot=off',
        'rag cot=off,retriever=bm25',
        'offline prompts=terse',
        'online prompts=terse',
        'rag retriever=bm25,prompts=terse',
        'offline cot=off,prompts=terse',
        'online cot=off,prompts=terse',
        'rag cot=off,retriever=bm25,prompts=terse',
      ]),
    )
  })

  it('gives each trial a seed of its own', () => {
    expect(new Set(planned.map(attempt => `${attempt.trial}:${attempt.seed}`))).toEqual(
      new Set(['0:7', '1:8']),
    )
  })
})

it('gives ids that are safe as file names and differ where only the language of the name differs', () => {
  const chinese = attemptIdOf('法律/1 ..', 'online', 'openai:a/b', 0, '')
  expect(chinese).toMatch(/^[A-Za-z0-9._-]+$/)
  expect(chinese).not.toBe(attemptIdOf('法学/1 ..', 'online', 'openai:a/b', 0, ''))
})
