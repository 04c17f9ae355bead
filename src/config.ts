import { z } from 'zod/v4'
import { builtInSettingOptions, settingOptions, settings } from '../agents/registry.ts'
import type { Setting } from '../agents/setting.ts'
import { withoutRefused } from '../logs/redact-command.ts'
import { type BenchmarkDefaults, listBenchmarkDefaults } from './config/benchmark-defaults.ts'
import { budgetsOptions } from './config/options/budgets.ts'
import { modelOptions } from './config/options/model.ts'
import { runningOptions } from './config/options/running.ts'
import { scoringOptions } from './config/options/scoring.ts'
import { webOptions } from './config/options/web.ts'
import { whatOptions } from './config/options/what.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName } from './core/nearest-name.ts'
import { formatFlag, type OptionCommand, type OptionSpec } from './core/option-spec.ts'
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

type ResolvedOptions = z.output<typeof runSchema>
/**
 * All options of a run with their values. Times are in milliseconds.
 *
 * @example
 * import type { RunConfig } from 'tablehunt'
 *
 * const wallMinutes = ({ budgetWall }: RunConfig): number | null => (budgetWall === null ? null : budgetWall / 60_000)
 */
export type RunConfig = CommandConfig & { readonly tasks: string; readonly out: string }

/** The options of a command that makes no run, with their values. */
export type CommandConfig = Omit<ResolvedOptions, keyof BenchmarkDefaults | 'out' | 'tasks'> & {
  [Name in keyof BenchmarkDefaults]: BenchmarkDefaults[Name]
}

/** Checked values of some options, without defaults. Times are in milliseconds. */
export type ParsedOptions = Readonly<Record<string, unknown>>

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
  const optionSpecs: Record<string, OptionSpec> = { ...runOptions }
  for (const [setting, { options = {} }] of entries)
    for (const [name, spec] of Object.entries(options)) {
      if (optionSpecs[name] !== undefined && optionSpecs[name] !== spec)
        throw new ConfigError(
          `setting ${setting} of a plug-in: the name of its option '${name}' is taken. Give it another name.`,
          { code: 'plugin-name-taken' },
        )
      optionSpecs[name] = spec
    }
}

/**
 * Checks that names are names of options.
 *
 * @param place the file that contains them, for the message; null when there is none
 * @throws ConfigError [unknown-option]
 */
export function requireKnown(names: readonly string[], place: string | null): void {
  const options = Object.keys(everyOption())
  const unknown = names.find(name => !options.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, options)
  const fix = nearest === null ? '`tablehunt info config` lists all options.' : `did you mean '${nearest}'?`
  throw new ConfigError(`${place === null ? '' : `${place}: `}unknown option '${unknown}': ${fix}`, {
    code: 'unknown-option',
  })
}

/** Returns the names of the options that a command takes. */
export function listOptions(command: OptionCommand): OptionName[] {
  const names = Object.keys(runOptions) as OptionName[]
  return names.filter(name => runOptions[name].commands.includes(command))
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws ConfigError [unknown-option, missing-option, invalid-option], or with the code of an option's own check
 */
export function resolveConfig(values: Readonly<Record<string, unknown>>): RunConfig {
  return completeConfig(parseOptions(values))
}

/**
 * Checks the values of options.
 *
 * @throws ConfigError [unknown-option, invalid-option], or with the code of an option's own check
 */
export function parseOptions(values: Readonly<Record<string, unknown>>): ParsedOptions {
  requireKnown(Object.keys(values), null)
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, parseOption(name as OptionName, value)]))
}

/**
 * Fills in the defaults of a run.
 *
 * @throws ConfigError [missing-option]
 */
export function completeConfig(options: ParsedOptions): RunConfig {
  const { tasks = parseOption('tasks', undefined), out = parseOption('out', undefined) } = options as {
    readonly tasks?: string
    readonly out?: string
  }
  return { tasks, out, ...completeOptions(options) }
}

/** Fills in the defaults for a command that makes no run. */
export function completeOptions(options: ParsedOptions): CommandConfig {
  const names = Object.keys(everyOption()).filter(name => name !== 'tasks' && name !== 'out')
  const values = Object.fromEntries(
    names.map(name => [name, options[name] ?? parseOption(name as OptionName, undefined)]),
  )
  const unset = Object.entries(listBenchmarkDefaults(String(values.benchmark))).filter(
    ([name]) => values[name] === null,
  )
  return { ...values, ...Object.fromEntries(unset) } as CommandConfig
}

/**
 * Checks the value of one option.
 *
 * @param value undefined returns the default
 * @param place where the value is written; the message begins with it
 * @returns the typed value; null when the option has no value, or its default depends on the benchmark
 * @throws ConfigError [missing-option, invalid-option], or with the code of the option's own check
 */
export function parseOption<Name extends OptionName>(
  name: Name,
  value: unknown,
  place = nameOption(name),
): ResolvedOptions[Name] {
  const option: OptionSpec = everyOption()[name]!
  try {
    const result = option.schema.safeParse(value)
    if (result.success) return result.data as ResolvedOptions[Name]
    if (value === undefined)
      throw new ConfigError(`is missing. Add ${formatFlag(name)} ${option.value}.`, {
        code: 'missing-option',
      })
    throw new ConfigError(`${quoteValue(value)} is not valid: ${describeExpectation(result.error)}`, {
      code: 'invalid-option',
    })
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ConfigError(`${place}: ${withoutRefused(error.message, value)}`, {
        code: error.code ?? 'invalid-option',
      })
    throw error
  }
}

/** Names an option as a user sets it: by its flag, or by its field of a config file. */
export function nameOption(name: string): string {
  return everyOption()[name]?.flag === 'none' ? name : formatFlag(name)
}

/** Says where to set an option that is neither a flag nor a variable. */
export function describeFileOnly(place: string, name: OptionName): string {
  return `${place}: only a config file sets this option. Add the field ${name} to tablehunt.config.ts, or to the file of --config.`
}

/** Whether a run needs the option. */
export function isRequired(name: OptionName): boolean {
  return !everyOption()[name]!.schema.safeParse(undefined).success
}

const timeUnits = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** Writes a value of an option as its flag takes it: a time with its unit, a list with commas. Returns '' for no value. */
export function describeValue(name: OptionName, value: unknown): string {
  const option: OptionSpec = everyOption()[name]!
  if (value === null || value === undefined) return ''
  if (option.value === 'TIME') {
    const ms = Number(value)
    const [unit, length] = timeUnits.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1]
    return `${ms / length}${unit}`
  }
  if (option.value === 'JSON') return JSON.stringify(value)
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Writes a value for a message. */
function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  // JSON would write null for NaN and Infinity, and has no bigint.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return JSON.stringify(value) ?? String(value)
}
