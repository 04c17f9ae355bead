import { isRequired, type OptionName, resolveOption, runOptions } from '../config.ts'
import { describeValue } from './describe-value.ts'
import type { GatheredOptions } from './gather.ts'

/** One option as `tablehunt config` shows it. */
export interface ShownOption {
  /** Resolved: times in milliseconds; null: not set. */
  readonly value: unknown
  readonly source: 'default' | 'file' | 'env' | 'flag'
  /** The file and key, the variable or the flag; null for a default. */
  readonly place: string | null
}

/** Every option with its value and where that comes from; ConfigError where a value does not fit. */
export function shownOptions(gathered: GatheredOptions): Record<OptionName, ShownOption> {
  const shown = Object.keys(runOptions).map(key => {
    const name = key as OptionName
    const given = gathered.options[name]
    const origin = gathered.origins[name]
    const value = given === undefined && isRequired(name) ? null : resolveOption(name, given, origin?.place)
    return [name, { value, source: origin?.source ?? 'default', place: origin?.place ?? null }]
  })
  return Object.fromEntries(shown) as Record<OptionName, ShownOption>
}

/** The options as lines of three columns: name, value, where it comes from. */
export function configLines(shown: Readonly<Record<OptionName, ShownOption>>): string[] {
  const rows = Object.entries(shown).map(([key, { value, place }]) => {
    const name = key as OptionName
    const missing = value === null && isRequired(name)
    return [name, missing ? '(needed)' : describeValue(name, value) || '–', place ?? 'default']
  })
  const widthOf = (column: number): number => Math.max(...rows.map(row => row[column]!.length))
  const [nameWidth, valueWidth] = [widthOf(0), Math.min(60, widthOf(1))]
  return rows.map(([name, value, place]) =>
    `${name!.padEnd(nameWidth)}  ${value!.padEnd(valueWidth)}  ${place}`.trimEnd(),
  )
}
