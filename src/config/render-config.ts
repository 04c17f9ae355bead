import { answersFromWeb } from '../../agents/registry.ts'
import { describeValue, everyOption, isRequired, type OptionName, parseOption } from '../config.ts'
import { defaultOnlineCaps } from '../core/budget.ts'
import { cacheFolder } from '../system/paths.ts'
import { type BenchmarkDefaults, listBenchmarkDefaults } from './benchmark-defaults.ts'
import type { GatheredOptions } from './gather-options.ts'

/** An option in the output of `tablehunt info config`. */
export interface OptionListing {
  /** The checked value, times in milliseconds; null when it is not set. */
  readonly value: unknown
  /** The value that is used when the option is not set: a cap of online attempts, the folder of the cache. */
  readonly inForce?: unknown
  readonly source: 'default' | 'file' | 'env' | 'flag'
  /** The file and key, the variable or the flag; null for a default. */
  readonly place: string | null
}

/**
 * Returns every option with its value and the source of the value.
 *
 * @param env the environment variables, which may name the cache folder
 * @throws ConfigError [invalid-option], or with the code of an option's own check
 */
export function listOptions(
  gathered: GatheredOptions,
  env: NodeJS.ProcessEnv = {},
): Record<OptionName, OptionListing> {
  const { options } = gathered
  const defaultsOfBenchmark = listBenchmarkDefaults(
    String(options.benchmark ?? parseOption('benchmark', undefined)),
  )
  const settings = (options.setting as string[] | undefined) ?? defaultsOfBenchmark.setting
  const inForce = {
    ...listEffectiveDefaults(settings, env),
    ...(defaultsOfBenchmark.scorer.length === 0 ? scorerOfTasks : {}),
  }
  const shown = Object.keys(everyOption()).map(key => {
    const name = key as OptionName
    const origin = gathered.origins[name]
    const fallback = isRequired(name) ? null : parseOption(name, undefined)
    const value = options[name] ?? fallback ?? defaultsOfBenchmark[name as keyof BenchmarkDefaults] ?? null
    const isUnset = value === null || (Array.isArray(value) && value.length === 0)
    const unset = isUnset && inForce[name] !== undefined ? { inForce: inForce[name] } : {}
    return [name, { value, ...unset, source: origin?.source ?? 'default', place: origin?.place ?? null }]
  })
  return Object.fromEntries(shown) as Record<OptionName, OptionListing>
}

/** The scorer of a benchmark whose default depends on its tasks. */
const scorerOfTasks = { scorer: 'aoe or strict, by the tasks' }

function listEffectiveDefaults(
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
): Partial<Record<OptionName, unknown>> {
  const { tokens, modelCalls, searchCalls, fetchCalls, wallMs } = defaultOnlineCaps
  const caps = {
    budgetTokens: tokens,
    budgetModelCalls: modelCalls,
    budgetSearchCalls: searchCalls,
    budgetFetchCalls: fetchCalls,
    budgetWall: wallMs,
  }
  return { ...(settings.some(answersFromWeb) ? caps : {}), cache: cacheFolder(null, env) }
}

/** Returns lines of three columns for the options: name, value, source. */
export function listConfigLines(shown: Readonly<Record<OptionName, OptionListing>>): string[] {
  const benchmarkOptions = Object.keys(listBenchmarkDefaults(String(shown.benchmark.value)))
  const nameDefault = (name: string, inForce: unknown): string => {
    if (benchmarkOptions.includes(name)) return `default of benchmark ${shown.benchmark.value}`
    return name.startsWith('budget') && inForce !== undefined ? 'default of online' : 'default'
  }
  const rows = Object.entries(shown).map(([key, { value, inForce, place }]) => {
    const name = key as OptionName
    const missing = value === null && isRequired(name)
    const text = missing ? '(required)' : describeValue(name, value) || describeValue(name, inForce) || '–'
    return [name, text, place ?? nameDefault(name, inForce)]
  })
  const measureColumn = (column: number): number => Math.max(...rows.map(row => row[column]!.length))
  const [nameWidth, valueWidth] = [measureColumn(0), Math.min(60, measureColumn(1))]
  return rows.map(([name, value, place]) =>
    `${name!.padEnd(nameWidth)}  ${value!.padEnd(valueWidth)}  ${place}`.trimEnd(),
  )
}
