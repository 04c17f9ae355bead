import { z } from 'zod/v4'
import { builtInSettingOptions, settingOptions, settings } from '../agents/registry.ts'
import type { Setting } from '../agents/setting.ts'
import { withoutRefused } from '../logs/redact-command.ts'
import { type BenchmarkDefaults, benchmarkDefaults } from './config/benchmark-defaults.ts'
import { budgetsOptions } from './config/options/budgets.ts'
import { modelOptions } from './config/options/model.ts'
import { runningOptions } from './config/options/running.ts'
import { scoringOptions } from './config/options/scoring.ts'
import { webOptions } from './config/options/web.ts'
import { whatOptions } from './config/options/what.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName } from './core/nearest-name.ts'
import type { OptionSpec } from './core/option-spec.ts'
import { formatFlag } from './core/option-spec.ts'
import { describeExpectation } from './core/option-values.ts'

/** Every option of `run`, by its name in a config file; the flag is the same in kebab-case. */
export const runOptions = {
  ...whatOptions,
  ...modelOptions,
  ...scoringOptions,
  ...webOptions,
  ...budgetsOptions,
  ...builtInSettingOptions,
  ...runningOptions,
} as const satisfies Record<string, OptionSpec>

/** Returns the options of `run`, followed by the options of settings that plug-ins add. */
export function everyOption(): Readonly<Record<string, OptionSpec>> {
  // A built-in option keeps its meaning when a plug-in has an option of the same name.
  return { ...runOptions, ...settingOptions(), ...runOptions }
}

/** The name of an option in a config file. */
export type OptionName = keyof typeof runOptions
type Schemas = { [K in OptionName]: (typeof runOptions)[K]['schema'] }

const runSchema = z.strictObject(
  Object.fromEntries(Object.entries(runOptions).map(([name, spec]) => [name, spec.schema])) as Schemas,
)

type ResolvedOptions = z.infer<typeof runSchema>
/**
 * All options of a run with their values. Times are in milliseconds.
 *
 * @example
 * import type { RunConfig } from 'tablehunt'
 *
 * const wallMinutes = ({ budgetWall }: RunConfig): number | null => (budgetWall === null ? null : budgetWall / 60_000)
 */
export type RunConfig = Omit<ResolvedOptions, keyof BenchmarkDefaults> & {
  [K in keyof BenchmarkDefaults]: NonNullable<ResolvedOptions[K]>
}
/**
 * The options of a run as a caller gives them. Only `tasks` and `out` are required; `tablehunt run --help` describes all.
 * Sizes are whole numbers or texts such as '8k' and '4m'. Times are texts such as '90s' and '10m'; a bare number counts seconds.
 *
 * @example
 * import type { RunOptions } from 'tablehunt'
 *
 * const options: RunOptions = { tasks: 'tasks.jsonl', out: 'runs/first', budgetTokens: '200k', requestTimeout: '90s' }
 */
export type RunOptions = z.input<typeof runSchema>

/**
 * Checks that the settings of plug-ins have options of their own. A setting may reuse a built-in option, but
 * must not define another option with that name.
 *
 * @throws ConfigError [plugin-name-taken]
 */
export function requireOwnOptions(
  entries: readonly (readonly [string, Setting])[] = settings.entries(),
): void {
  const own: Record<string, OptionSpec> = { ...runOptions }
  for (const [setting, { options = {} }] of entries)
    for (const [name, spec] of Object.entries(options)) {
      if (own[name] !== undefined && own[name] !== spec)
        throw new ConfigError(
          `setting ${setting} of a plug-in: the name of its option '${name}' is taken. Give it another name.`,
          { code: 'plugin-name-taken' },
        )
      own[name] = spec
    }
}

/**
 * Checks that names are names of options.
 *
 * @param place the file that contains them, for the message; null when there is none
 * @throws ConfigError [unknown-option]
 */
export function requireKnown(given: readonly string[], place: string | null): void {
  const known = Object.keys(everyOption())
  const unknown = given.find(name => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const fix = nearest === null ? '`tablehunt config` lists all options.' : `did you mean '${nearest}'?`
  throw new ConfigError(`${place === null ? '' : `${place}: `}unknown option '${unknown}': ${fix}`, {
    code: 'unknown-option',
  })
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws ConfigError [unknown-option, missing-option, invalid-option], or with the code of an option's own check
 */
export function resolveConfig(given: Readonly<Record<string, unknown>>): RunConfig {
  requireKnown(Object.keys(given), null)
  const resolved = Object.fromEntries(
    Object.keys(everyOption()).map(name => [name, resolveOption(name as OptionName, given[name])]),
  ) as ResolvedOptions
  const unset = Object.entries(benchmarkDefaults(resolved.benchmark)).filter(
    ([name]) => resolved[name as keyof BenchmarkDefaults] === null,
  )
  return { ...resolved, ...Object.fromEntries(unset) } as RunConfig
}

/**
 * Checks the value of one option.
 *
 * @param given undefined returns the default
 * @param place where the value is given; the message begins with it
 * @returns the typed value; null when the option has no value, or its default depends on the benchmark
 * @throws ConfigError [missing-option, invalid-option], or with the code of the option's own check
 */
export function resolveOption(name: OptionName, given: unknown, place = formatFlag(name)): unknown {
  const spec: OptionSpec = everyOption()[name]!
  try {
    const result = spec.schema.safeParse(given)
    if (result.success) return result.data
    if (given === undefined)
      throw new ConfigError(`is missing. Add ${formatFlag(name)} ${spec.value}.`, { code: 'missing-option' })
    throw new ConfigError(`${valueText(given)} is not valid: ${describeExpectation(result.error)}`, {
      code: 'invalid-option',
    })
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${place}: ${withoutRefused(error.message, given)}`, {
        code: error.code ?? 'invalid-option',
      })
    throw error
  }
}

/** Whether a run needs the option. */
export function isRequired(name: OptionName): boolean {
  return !everyOption()[name]!.schema.safeParse(undefined).success
}

/** Writes a value for a message. */
function valueText(given: unknown): string {
  if (typeof given === 'string') return `'${given}'`
  // JSON would write null for NaN and Infinity, and has no bigint.
  if (typeof given === 'number' || typeof given === 'bigint') return String(given)
  return JSON.stringify(given) ?? String(given)
}
