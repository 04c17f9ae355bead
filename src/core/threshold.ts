import { ConfigError } from './errors.ts'

/** A metric that every arm of a run must reach. */
export interface Threshold {
  /** As the user wrote it. */
  readonly metric: string
  readonly value: number
}

/**
 * Reads `METRIC=VALUE`, the value of `--fail-under`. Whether a run has the metric is known later.
 *
 * @throws ConfigError 'invalid-threshold' for another form
 */
export function parseThreshold(text: string): Threshold {
  const [, metric = '', given = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const value = given.trim() === '' ? Number.NaN : Number(given)
  if (metric !== '' && Number.isFinite(value)) return { metric, value }
  throw new ConfigError(`'${text}': write METRIC=VALUE, such as answered=0.8`, { code: 'invalid-threshold' })
}
