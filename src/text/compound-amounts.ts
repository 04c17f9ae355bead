import { readColumnSubject } from './column-subjects.ts'
import { mapWords } from './plain-text.ts'
import { namesClock } from './times-of-day.ts'
import { type Dimension, readUnit, toBaseUnit, type Unit } from './units.ts'

/** An amount in several units of one kind. */
interface CompoundAmount {
  /** In the base unit. */
  readonly value: number
  /** In its largest unit; NaN for a duration with colons, which is in no unit. */
  readonly amount: number
  readonly dimension: Dimension
}

const isCompound = new Set<Dimension>(['length', 'mass', 'time', 'volume', 'months'])
const longest = 60
/** A number, and what stands between it and the next number. */
const part = /(\d[\d,]*(?:\.\d+)?)([^\d]*)/g
const joiner = /^[\s,，-]*|[\s,，-]*(?:(?<!\p{L})(?:and|und|et|y|e|en|og|och|и)(?!\p{L}))?[\s,，-]*$/giu
/** Marks of feet and inches, or of minutes and seconds. */
const marks = mapWords<readonly [length: string, time: string]>([
  [`'|’|′`, ['ft', 'min']],
  [`"|”|″|''|′′`, ['in', 's']],
])
/** The next smaller unit, which `1h30` and `5ft3` leave out. */
const smaller: Readonly<Record<number, string>> = { 3600: 'min', 60: 's', 0.3048: 'in' }
/** ISO 8601: PT1H30M. */
const isoDuration = /^P(\d+D)?(?:T(?=\d)(\d+H)?(\d+M)?(\d+(?:\.\d+)?S)?)?$/
const clock = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?([.,]\d+)?$/

/**
 * Reads an amount in several units, from the largest to the smallest (`5 ft 3 in`, `5'3"`, `1h30`), and under a name of
 * durations one with colons. `1:30` may be hours or minutes, so it has two readings unless the column decides.
 *
 * @returns the possible readings; empty for any other text
 */
export function readCompoundAmount(text: string, column: string): readonly CompoundAmount[] {
  if (text.length > longest) return []
  const written = isoDuration.exec(text)
  if (written !== null) {
    const parts = written.slice(1).filter(part => part !== undefined)
    return readParts(parts.join(' ').toLowerCase(), 'time', true)
  }
  return clock.test(text) ? readColons(text, column) : readParts(text, readColumnSubject(column))
}

function readColons(text: string, column: string): readonly CompoundAmount[] {
  const isDuration =
    readColumnSubject(column) === 'time' ||
    /\((?:h|hours?|min|minutes|s|sec|seconds|hh?:mm.*|mm:ss)\)/i.test(column)
  if (!isDuration || namesClock(column)) return []
  const [, first, second, third, fraction = ''] = clock.exec(text)!
  const [a, b, rest] = [Number(first), Number(second), Number(`0${fraction.replace(',', '.')}`)]
  const reading = (value: number): CompoundAmount => ({
    value: value + rest,
    amount: Number.NaN,
    dimension: 'time',
  })
  const [hours, minutes] = [reading(3600 * a + 60 * b + Number(third ?? 0)), reading(60 * a + b)]
  if (third !== undefined) return [hours]
  if (fraction !== '' || a > 23 || /\b(?:lap|split|track|song)\b|mm:ss/i.test(column)) return [minutes]
  return /hh?:mm/i.test(column) ? [hours] : [hours, minutes]
}

function readParts(
  text: string,
  subject: ReturnType<typeof readColumnSubject>,
  isWhole = false,
): readonly CompoundAmount[] {
  if (!/^\d/.test(text)) return []
  const parts: { readonly number: number; readonly unit: Unit }[] = []
  let hasMark = false
  for (const [, digits = '', between = ''] of text.matchAll(part)) {
    const written = between.replace(joiner, '')
    const mark = subject === 'angle' ? undefined : marks.get(written)
    const last = parts.at(-1)
    const isTime = (last?.unit.dimension ?? subject) === 'time'
    const name = mark?.[isTime ? 1 : 0] ?? (written === '' ? smaller[last?.unit.factor ?? 0] : written)
    const unit = readUnit(isTime && name === 'm' ? 'min' : (name ?? ''))
    const number = Number(digits.replaceAll(',', ''))
    if (unit === null || !isCompound.has(unit.dimension)) return []
    const isNext =
      last === undefined ||
      (unit.dimension === last.unit.dimension &&
        Number.isInteger(last.number) &&
        number * unit.factor < last.unit.factor)
    if (!isNext) return []
    parts.push({ number, unit })
    hasMark ||= mark !== undefined
  }
  if (parts.length < 2 && !hasMark && !isWhole) return []
  const value = parts.reduce((sum, { number, unit }) => sum + toBaseUnit(number, unit), 0)
  const { dimension, factor } = parts[0]!.unit
  return [{ value, amount: value / factor, dimension }]
}
