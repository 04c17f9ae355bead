import { listOptions, parseOption, type RunConfig, type RunOptions } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'

/** The options for scoring, as a caller gives them. */
export interface ScoringOptions {
  scorer?: RunOptions['scorer']
  judge?: RunOptions['judge']
  judgeBatch?: RunOptions['judgeBatch']
  judgePrompts?: RunOptions['judgePrompts']
  successAt?: RunOptions['successAt']
  allowMissingDocuments?: RunOptions['allowMissingDocuments']
  requestTimeout?: RunOptions['requestTimeout']
  seed?: RunOptions['seed']
  cache?: RunOptions['cache']
}

/** The options for scoring with their values. */
export interface ScoringConfig {
  /** Null when the benchmark chooses it. */
  readonly scorer: string[] | null
  readonly judge: RunConfig['judge']
  readonly judgeBatch: boolean
  readonly judgePrompts: string | null
  readonly successAt: number | null
  readonly allowMissingDocuments: boolean
  /** Milliseconds. */
  readonly requestTimeout: number
  readonly seed: number
  readonly cache: string | null
}

/**
 * Checks the options for scoring and fills in the defaults.
 *
 * @throws ConfigError [unknown-option], and the codes of the options' own checks
 */
export function resolveScoring(options: Readonly<Record<string, unknown>>): ScoringConfig {
  const names = listOptions('score')
  for (const name of Object.keys(options))
    if (!(names as readonly string[]).includes(name))
      throw new ConfigError(`unknown option ${describeUnknownName(name, names)}`, { code: 'unknown-option' })
  return Object.fromEntries(
    names.map(name => [name, parseOption(name, options[name])]),
  ) as unknown as ScoringConfig
}
