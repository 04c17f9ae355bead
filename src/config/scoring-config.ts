import { type RunConfig, type RunOptions, resolveOption } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'

const names = [
  'scorer',
  'judge',
  'judgeBatch',
  'judgePrompts',
  'successAt',
  'allowMissingDocuments',
  'requestTimeout',
  'seed',
  'cache',
] as const
type ScoringOptionName = (typeof names)[number]

/** The options for scoring, as a caller gives them. */
export type ScoringOptions = Pick<RunOptions, ScoringOptionName>

/** The options for scoring with their values. `scorer` is null when the benchmark chooses it. */
export type ScoringConfig = Pick<RunConfig, Exclude<ScoringOptionName, 'scorer'>> & {
  readonly scorer: string[] | null
}

/**
 * Checks the options for scoring and fills in the defaults.
 *
 * @throws ConfigError [unknown-option], and the codes of the options' own checks
 */
export function resolveScoring(given: Readonly<Record<string, unknown>>): ScoringConfig {
  for (const name of Object.keys(given))
    if (!(names as readonly string[]).includes(name))
      throw new ConfigError(`unknown option ${describeUnknownName(name, names)}`, { code: 'unknown-option' })
  const resolved = names.map(name => [name, resolveOption(name, given[name])])
  return Object.fromEntries(resolved) as ScoringConfig
}
