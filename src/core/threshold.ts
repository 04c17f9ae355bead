import { ConfigError } from './errors.ts'

/** A metric that every arm of a run must reach. */
export interface Threshold {
  /** Its name in the groups of `report --json`. */
  readonly metric: string
  /** A share, 0 to 1. */
  readonly least: number
}

/**
 * Reads `METRIC=VALUE`, the value of `--fail-under`. Whether there is such a metric is for the report to say.
 *
 * @throws ConfigError 'invalid-threshold' for another form or a value outside 0..1.
 */
export function parseThreshold(text: string): Threshold {
  const [, metric = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const least = value.trim() === '' ? Number.NaN : Number(value)
  if (metric !== '' && least >= 0 && least <= 1) return { metric, least }
  throw new ConfigError(`'${text}': write METRIC=VALUE with a share from 0 to 1, such as cellF1=0.8`, {
    code: 'invalid-threshold',
  })
}
