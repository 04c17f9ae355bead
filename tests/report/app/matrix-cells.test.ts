import { describe, expect, it } from 'vitest'
import type { MetricDefinition } from '../../../src/core/metric.ts'
import {
  arrangeMatrix,
  arrangeRows,
  noMatrixFilter,
  passesFilter,
} from '../../../src/report/app/matrix-cells.ts'
import { attemptFlags, type PageData } from '../../../src/report/page/page-data.ts'

const cellF1: MetricDefinition = {
  ...{ key: 'cellF1', label: 'Cell F1', unit: 'share', better: 'higher', primary: true, role: 'score' },
  ...{ description: 'Harmonic mean.', range: [0, 1] },
}
const arm = (name: string) => ({
  ...{ id: name, name, setting: name, agent: null, model: 'm', options: {}, run: 0, isControl: false },
})
const task = (id: string, domain: string) => ({ id, domain, language: 'en', question: '' })

/** Three tasks by two arms; the first task has two trials online, and the last was not tried online. */
const data: PageData = {
  ...{ title: 't', runs: [], facet: 'domain', scoring: 's', metrics: [cellF1], results: [], sections: [] },
  ...{ sentences: [], warnings: [], remarks: [] },
  arms: [arm('offline'), arm('online')],
  tasks: [task('a', 'legal'), task('b', 'financial'), task('c', 'legal')],
  attempts: {
    id: ['1', '2', '3', '4', '5', '6'],
    task: [0, 0, 0, 1, 1, 2],
    arm: [0, 1, 1, 0, 1, 0],
    trial: [0, 0, 1, 0, 0, 0],
    ...{ ending: [0, 0, 0, 0, 0, 0], endings: ['agent / answered'] },
    flags: [0, 0, attemptFlags.budget, 0, attemptFlags.unscored, 0],
    ...{ opened: [], tokens: [], usd: [], wallMs: [] },
    values: { cellF1: [1, 0.5, 0, 0.8, null, 0.2] },
  },
}
const rows = arrangeMatrix(data, cellF1)

describe('the matrix of scores', () => {
  it('averages the trials of an arm, and keeps cells without a score and arms that did not try a task', () => {
    expect(rows.map(row => row.map(cell => cell?.value))).toEqual([
      [1, 0.25],
      [0.8, null],
      [0.2, undefined],
    ])
  })

  it.each([
    ['all tasks', {}, [0, 1, 2]],
    ['tasks that one arm has right and another wrong', { right: 0, wrong: 1 }, [0]],
    ['tasks that differ between arms', { show: 'different' as const }, [0]],
    ['tasks with an attempt that a budget ended', { show: 'budget' as const }, [0]],
    ['tasks that failed', { show: 'failed' as const }, [1]],
    ['tasks whose words contain the text', { text: 'FINANCIAL' }, [1]],
  ])('shows %s', (_, filter, expected) => {
    const kept = [0, 1, 2].filter(at =>
      passesFilter(rows[at]!, `${data.tasks[at]!.id} ${data.tasks[at]!.domain}`, {
        ...noMatrixFilter,
        ...filter,
      }),
    )
    expect(kept).toEqual(expected)
  })

  it('sorts tasks by their mean and by an arm, with unscored tasks last in both directions', () => {
    const sorted = (column: 'run' | 'mean' | number, isDown: boolean) =>
      arrangeRows(data, rows, [0, 1, 2], { order: { column, isDown }, group: 'none' })
    expect(sorted('run', false)).toEqual([0, 1, 2])
    expect(sorted('mean', false)).toEqual([2, 0, 1])
    expect(sorted('mean', true)).toEqual([1, 0, 2])
    expect(sorted(1, false)).toEqual([0, 1, 2])
    expect(sorted(1, true)).toEqual([0, 1, 2])
  })

  it('groups the sorted tasks by domain and by outcome', () => {
    const grouped = (group: 'domain' | 'outcome') =>
      arrangeRows(data, rows, [0, 1, 2], { order: { column: 'mean', isDown: false }, group })
    expect(grouped('domain')).toEqual([
      { group: 'financial', tasks: [1] },
      1,
      { group: 'legal', tasks: [2, 0] },
      ...[2, 0],
    ])
    expect(grouped('outcome')).toEqual([
      { group: 'right in no arm', tasks: [2, 1] },
      ...[2, 1],
      { group: 'right in some arms', tasks: [0] },
      0,
    ])
  })
})
