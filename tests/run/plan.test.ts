import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import type { Prompts } from '../../src/core/prompts.ts'
import type { Task } from '../../src/core/task.ts'
import { createAttemptId } from '../../src/run/plan/plan.ts'
import { planRun } from '../../src/run/plan/plan-run.ts'

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
  const config = resolveConfig({
    tasks: 'tasks.jsonl',
    out: 'runs/plan',
    setting: 'offline,rag,online',
    retriever: 'bm25',
    trials: 2,
    seed: 7,
    cot: 'on,off',
  })
  const prompts = new Map(['own', 'terse'].map(name => [name, {} as Prompts]))
  const planned = planRun(config, [task('a'), task('b')], { modelNames: ['extractive', 'openai:m'], prompts })

  it('has tasks x settings x models x trials x arms attempts, each with a unique id', () => {
    expect(planned).toHaveLength(2 * 3 * 2 * 2 * 2 * 2)
    expect(new Set(planned.map(attempt => attempt.attemptId)).size).toBe(planned.length)
  })

  it('lists exactly the options that differ from the defaults', () => {
    const variants = new Set(planned.map(attempt => `${attempt.setting} ${optionsText(attempt.options)}`))
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

  it('has a separate seed for each trial', () => {
    expect(new Set(planned.map(attempt => `${attempt.trial}:${attempt.seed}`))).toEqual(
      new Set(['0:7', '1:8']),
    )
  })
})

it('makes ids that are safe as file names, also for tasks that differ only in the language of their name', () => {
  const key = { setting: 'online', model: 'openai:a/b', trial: 0, options: {} }
  const chinese = createAttemptId({ ...key, taskId: '法律/1 ..' })
  expect(chinese).toMatch(/^[A-Za-z0-9._-]+$/)
  expect(chinese).not.toBe(createAttemptId({ ...key, taskId: '法学/1 ..' }))
})
