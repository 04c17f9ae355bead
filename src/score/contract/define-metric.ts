import type { MetricDefinition } from '../../core/metric.ts'

/** Defines a metric that is a share from 0 to 1, the higher the better. By default, it qualifies a score. */
export const defineShareMetric = (
  key: string,
  label: string,
  description: string,
  others: Partial<MetricDefinition> = {},
): MetricDefinition => ({
  key,
  label,
  description,
  unit: 'share',
  better: 'higher',
  primary: false,
  role: 'companion',
  range: [0, 1],
  ...others,
})

/** Defines a share that says how good an answer is, beside the primary metric. */
export const defineScoreMetric = (key: string, label: string, description: string): MetricDefinition =>
  defineShareMetric(key, label, description, { role: 'score' })

/** Defines the share that comparisons use. */
export const definePrimaryMetric = (key: string, label: string, description: string): MetricDefinition =>
  defineShareMetric(key, label, description, { primary: true, role: 'score' })
