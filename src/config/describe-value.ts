import { everyOption, type OptionName } from '../config.ts'
import type { OptionSpec } from '../core/option-spec.ts'

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

function timeText(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1]
  return `${ms / length}${unit}`
}

/** Writes a value of an option as its flag takes it: a time with its unit, a list with commas. Returns '' for no value. */
export function describeValue(name: OptionName, value: unknown): string {
  const spec: OptionSpec = everyOption()[name]!
  if (value === null || value === undefined) return ''
  if (spec.value === 'TIME') return timeText(Number(value))
  if (spec.value === 'JSON') return JSON.stringify(value)
  return Array.isArray(value) ? value.join(',') : String(value)
}
