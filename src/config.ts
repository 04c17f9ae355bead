import { z } from 'zod/v4'
import { builtInSettingOptions, settingOptions, settings } from '../agents/registry.ts'
import type { Setting } from '../agents/setting.ts'
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
import { flagOf } from './core/option-spec.ts'

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

/** The same, then the options of settings that plug-ins add. */
export function everyOption(): Readonly<Record<string, OptionSpec>> {
  // A name of ours keeps its meaning, whatever a plug-in calls its own option.
  return { ...runOptions, ...settingOptions(), ...runOptions }
}

/** The name of an option, as in a config file. */
export type OptionName = keyof typeof runOptions
type Schemas = { [K in OptionName]: (typeof runOptions)[K]['schema'] }

const runSchema = z.strictObject(
  Object.fromEntries(Object.entries(runOptions).map(([name, spec]) => [name, spec.schema])) as Schemas,
)

type ResolvedOptions = z.infer<typeof runSchema>
/**
 * All options, resolved. Times in milliseconds, budgets in their own units.
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
 * What a caller gives: any option may be left out but tasks and out; `tablehunt run --help` says what each is. Sizes are
 * whole numbers or texts such as '8k' and '4m', times texts such as '90s' and '10m': a bare number counts seconds.
 *
 * @example
 * import type { RunOptions } from 'tablehunt'
 *
 * const options: RunOptions = { tasks: 'tasks.jsonl', out: 'runs/first', budgetTokens: '200k', requestTimeout: '90s' }
 */
export type RunOptions = z.input<typeof runSchema> & {
  /** The name that `scorer` had in earlier versions. */
  readonly profile?: z.input<typeof runSchema>['scorer']
}

/** Options by the names that they had in earlier versions, which still work. */
export const earlierNames: Readonly<Record<string, OptionName>> = { profile: 'scorer' }

/**
 * The options under their present names.
 *
 * @throws ConfigError [option-twice] where one is given under both of its names
 */
export function withPresentNames(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const present = earlierNames[name] ?? name
    if (value === undefined && present !== name) continue
    if (options[present] !== undefined && value !== undefined)
      throw new ConfigError(`'${present}' and '${name}' are the same option. Give one of them.`, {
        code: 'option-twice',
      })
    options[present] = options[present] ?? value
  }
  return options
}

/**
 * Refuses a plug-in's setting with an option that has the name of another one. A setting may share a built-in option.
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

/** Refuses names that are no options; `place` says where they stand, null where that is plain. */
export function requireKnown(given: readonly string[], place: string | null): void {
  const known = Object.keys(everyOption())
  const unknown = given.find(name => !known.includes(name) && !Object.hasOwn(earlierNames, name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const fix = nearest === null ? '`tablehunt config` lists them all' : `did you mean '${nearest}'?`
  throw new ConfigError(`${place === null ? '' : `${place}: `}unknown option '${unknown}': ${fix}`, {
    code: 'unknown-option',
  })
}

/** Options as given to the typed config; ConfigError names the flag, what is wrong and the nearest right name. */
export function resolveConfig(given: Readonly<Record<string, unknown>>): RunConfig {
  requireKnown(Object.keys(given), null)
  const options = withPresentNames(given)
  const resolved = Object.fromEntries(
    Object.keys(everyOption()).map(name => [name, resolveOption(name as OptionName, options[name])]),
  ) as ResolvedOptions
  const unset = Object.entries(benchmarkDefaults(resolved.benchmark)).filter(
    ([name]) => resolved[name as keyof BenchmarkDefaults] === null,
  )
  return { ...resolved, ...Object.fromEntries(unset) } as RunConfig
}

/**
 * One option's value as given, or its default where it is undefined; null where the default is the benchmark's.
 *
 * @throws ConfigError [missing-option, invalid-option] that begins with `place`, or with the code of the option's own check
 */
export function resolveOption(name: OptionName, given: unknown, place = flagOf(name)): unknown {
  const spec: OptionSpec = everyOption()[name]!
  try {
    const result = spec.schema.safeParse(given)
    if (result.success) return result.data
    if (given === undefined)
      throw new ConfigError(`missing: give it as ${flagOf(name)} ${spec.value}`, { code: 'missing-option' })
    throw new ConfigError(`${shown(given)}: ${result.error.issues[0]?.message ?? 'not valid'}`)
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${place}: ${error.message}`, { code: error.code ?? 'invalid-option' })
    throw error
  }
}

/** Whether a run can't be made without it. */
export function isRequired(name: OptionName): boolean {
  return !everyOption()[name]!.schema.safeParse(undefined).success
}

function shown(given: unknown): string {
  if (typeof given === 'string') return `'${given}'`
  // JSON has no such value: NaN and Infinity would read null, and a bigint is refused.
  if (typeof given === 'number' || typeof given === 'bigint') return String(given)
  return JSON.stringify(given) ?? String(given)
}
