import type { MetricDefinition } from '../../core/metric.ts'

/** Defines a metric that is a share from 0 to 1, the higher the better. By default, it qualifies a score. */
export const shareMetric = (
  key: string,
  label: string,
  description: string,
  others: Partial<MetricDefinition> = {},
): MetricDefinition => ({
  ...{ key, label, description, unit: 'share', better: 'higher', primary: false, role: 'companion' },
  range: [0, 1],
  ...others,
})

/** Defines a share that says how good an answer is, beside the primary metric. */
export const scoreMetric = (key: string, label: string, description: string): MetricDefinition =>
  shareMetric(key, label, description, { role: 'score' })

/** Defines the share that comparisons use. */
export const primaryMetric = (key: string, label: string, description: string): MetricDefinition =>
  shareMetric(key, label, description, { primary: true, role: 'score' })
