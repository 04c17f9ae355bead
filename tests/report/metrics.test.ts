import { describe, expect, it } from 'vitest'
import {
  answerKindOf,
  columnMetrics,
  metricKeys,
  metrics,
  primaryOf,
} from '../../src/report/model/metrics.ts'

describe('the metrics of all reports', () => {
  it('have keys and labels of their own, and one primary score for each kind of answer', () => {
    expect(new Set(metricKeys).size).toBe(metrics.length)
    expect(new Set(metrics.map(metric => metric.label)).size).toBe(metrics.length)
    for (const kind of ['table', 'json'] as const)
      expect(columnMetrics(kind).filter(metric => metric.primary)).toEqual([primaryOf(kind)])
  })

  it('stand in columns with the primary score last', () => {
    expect(columnMetrics('table').map(metric => metric.key)).toEqual(['passRate', 'rowF1', 'cellF1'])
    expect(columnMetrics('json').map(metric => metric.key)).toEqual(['passRate', 'fieldPassRate'])
  })

  it('are none where nothing was scored', () => {
    expect(answerKindOf('none')).toBeNull()
  })
})
