import { expect, it } from 'vitest'
import type { MetricDefinition } from '../../../src/core/metric.ts'
import { compareOptions, listChanges, pairArms } from '../../../src/report/app/run-changes.ts'
import { hasDifferentAnswers, passesItemFilter, type TaskItem } from '../../../src/report/app/task-items.ts'
import type { CellData } from '../../../src/report/page/attempt-data.ts'
import type { PageData, RunFacts } from '../../../src/report/page/page-data.ts'

const cellF1: MetricDefinition = {
  ...{ key: 'cellF1', label: 'Cell F1', unit: 'share', better: 'higher', primary: true, role: 'score' },
  ...{ description: 'Harmonic mean.', range: [0, 1] },
}
const run = (name: string, options: RunFacts['options'] = []): RunFacts => ({
  ...{ name, runId: name, startedAt: null, facts: [], command: null, bibtex: '', options },
})
const arm = (setting: string, at: number) => ({
  ...{ id: `${setting} ${at}`, name: setting, setting, agent: null, model: 'm', options: {} },
  ...{ run: at, isControl: false },
})

/** Two runs of rag and one of online. Each row of values is a task. */
function compare(values: readonly (readonly (number | null)[])[]): PageData {
  const cells = values.flatMap((row, task) => row.map((value, at) => ({ task, arm: at, value })))
  const zeros = cells.map(() => 0)
  return {
    ...{ title: 't', facet: 'domain', scoring: 's', metrics: [cellF1], results: [], sections: [] },
    ...{ sentences: [], warnings: [], remarks: [], runs: [run('a'), run('b')] },
    arms: [arm('rag', 0), arm('online', 0), arm('rag', 1)],
    tasks: values.map((_, at) => ({ id: String(at), domain: 'd', language: 'en', question: '' })),
    attempts: {
      ...{ id: cells.map((_, at) => String(at)), trial: zeros, ending: zeros, endings: ['agent / answered'] },
      ...{ task: cells.map(({ task }) => task), arm: cells.map(cell => cell.arm), flags: zeros },
      ...{ opened: [], tokens: [], usd: [], wallMs: [], values: { cellF1: cells.map(({ value }) => value) } },
    },
  }
}

it('pairs arms of one setting, and leaves out arms that the other run does not have', () => {
  expect(pairArms(compare([]))).toEqual([{ before: 0, after: 2 }])
})

it('pairs the same arm of two runs before others of its setting', () => {
  const data = compare([])
  const arms = ['a', 'b', 'b'].map((model, at) => ({ ...arm('rag', at === 2 ? 1 : 0), id: `${at}`, model }))
  expect(pairArms({ ...data, arms })).toEqual([{ before: 1, after: 2 }])
})

it('lists tasks whose result flipped first, then the largest changes, and no task without a change or a score', () => {
  const changes = listChanges(
    compare([
      [0.5, 1, 0.6],
      [1, 1, 1],
      [0.8, 0, 0.1],
      [0.95, 0, 0.85],
      [null, 0, 1],
      [0.2, 0, 0.9],
    ]),
  )
  // From 90 percent on, a result is right.
  expect(changes.map(({ task, flip }) => [task, flip])).toEqual([
    [5, 'gained'],
    [3, 'lost'],
    [2, null],
    [0, null],
  ])
})

it('counts a low value as right where less is better', () => {
  const data = compare([[0.05, 1, 0.5]])
  const [change] = listChanges({ ...data, metrics: [{ ...cellF1, better: 'lower' }] })
  expect(change?.flip).toBe('lost')
})

it('marks the options in which runs differ, also one that a run does not have', () => {
  const rows = compareOptions([
    run('a', [
      ['--seed', '0'],
      ['--cot', 'on'],
    ]),
    run('b', [
      ['--seed', '0'],
      ['--cot', 'off'],
      ['--new', '1'],
    ]),
  ])
  expect(rows.map(({ name, values, differs }) => [name, values, differs])).toEqual([
    ['--seed', ['0', '0'], false],
    ['--cot', ['on', 'off'], true],
    ['--new', ['–', '1'], true],
  ])
})

it('finds items with different answers: other values, an empty answer against a missing one, no score', () => {
  const cell = (predicted: string | null): CellData => ({
    ...{ item: 0, gold: 'g', predicted, score: 1, rule: 'equal', class: 'correct', match: '' },
  })
  const items = [
    ['a', 'a'],
    ['a', 'b'],
    ['', null],
    [null, null],
  ].map((answers): TaskItem => ({ id: '', row: '', name: '', gold: 'g', cells: answers.map(cell) }))
  expect(items.map(hasDifferentAnswers)).toEqual([false, true, true, false])
  expect(items.map(item => passesItemFilter(item, 'answers'))).toEqual([false, true, true, false])
  expect(hasDifferentAnswers({ ...items[0]!, cells: [cell('a'), undefined] })).toBe(true)
})
