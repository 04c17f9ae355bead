import { foldCase } from './plain-text.ts'
import { type MeasuredUnit, prefixedUnits, type UnitData, unitData, unitPrefixes } from './unit-data.ts'
import { unitTranslations } from './unit-words.ts'

/** What a unit measures. Amounts are compared when they measure the same. */
export type Dimension = MeasuredUnit | `${string}/${string}`

/** A unit of measure: what it measures, and its size in the base unit of that. */
export interface Unit {
  readonly dimension: Dimension
  readonly factor: number
  /** What zero of this unit is in the base unit, as 273.15 for °C. Absent: 0. */
  readonly offset?: number
}

const bySymbol = new Map<string, Unit>()
/** Symbols in another letter case, when only one symbol fits: `KM`, but not `mw`. */
const byFolded = new Map<string, Unit | null>()
/** Single letters in another case are other things: 5G, 3D. The letters of scales are the exception. */
const isOtherLetter = (text: string): boolean => text.length === 1 && !/[mtk]/i.test(text)
const byName = new Map<string, Unit>()
for (const [dimension, units] of Object.entries(unitData) as [MeasuredUnit, readonly UnitData[]][])
  for (const [symbols, names, factor, offset] of units) {
    const unit = { dimension, factor, ...(offset === undefined ? {} : { offset }) }
    for (const symbol of symbols.split('|')) {
      if (symbol === '') continue
      const plain = symbol.normalize('NFKC')
      const folded = foldCase(plain)
      bySymbol.set(plain, unit)
      byFolded.set(folded, !byFolded.has(folded) || byFolded.get(folded) === unit ? unit : null)
    }
    for (const name of names.split('|').filter(text => text !== '')) byName.set(foldCase(name), unit)
  }

for (const [name, words] of unitTranslations)
  for (const word of words.split('|')) byName.set(foldCase(word.normalize('NFKC')), byName.get(name)!)

for (const [dimension, base, factor, letters] of prefixedUnits)
  for (const letter of letters) {
    const symbol = `${letter}${base}`.normalize('NFKC')
    if (!bySymbol.has(symbol)) bySymbol.set(symbol, { dimension, factor: factor * unitPrefixes[letter]! })
  }

/** Reads a text that is one unit of measure: a symbol, a name in the singular or plural, or a quotient such as `mg/dL`. */
export function readUnit(text: string): Unit | null {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ')
  const exact = bySymbol.get(plain)
  if (exact !== undefined) return exact
  const folded = foldCase(plain).replace(/\.(?=\s|$)/g, '')
  const named = byName.get(folded) ?? byName.get(folded.replace(/s$/, ''))
  return named ?? (isOtherLetter(plain) ? null : (byFolded.get(folded) ?? readQuotient(plain)))
}

const quotient = /^(?<over>[^/]+?)\s?(?:\/|(?<=\s)per\s)\s?(?<under>[^/]+)$/
const bitRate = /^(?<over>[kMGT]b)ps$/

/** Reads a quotient of two units: mg/dL, km per litre, Mbps. */
function readQuotient(text: string): Unit | null {
  const { over, under = 's' } = (quotient.exec(text) ?? bitRate.exec(text))?.groups ?? {}
  const [left, right] = over === undefined ? [null, null] : [readUnit(over), readUnit(under)]
  if (left === null || right === null || left.offset !== undefined || right.offset !== undefined) return null
  const dimension = `${left.dimension}/${right.dimension}` as const
  return { dimension: dimension === 'length/time' ? 'speed' : dimension, factor: left.factor / right.factor }
}

/** Symbols with a second meaning: ML is a megalitre, and a millilitre on labels. */
const secondMeanings: Readonly<Record<string, string>> = { ML: 'mL', pp: 'p.p.', kt: 'kn' }

/** Returns the other unit that a symbol may mean; null when it has one meaning. */
export const findSecondMeaning = (symbol: string): Unit | null => {
  const otherSymbol = Object.hasOwn(secondMeanings, symbol) ? secondMeanings[symbol] : undefined
  return otherSymbol === undefined ? null : (bySymbol.get(otherSymbol) ?? null)
}

/** Converts an amount to the base unit of what it measures. */
export const toBaseUnit = (amount: number, { factor, offset = 0 }: Unit): number => amount * factor + offset

/** Returns the names of a dimension's units in all languages, with the size of each in the base unit. */
export function listUnitNames(dimension: Dimension): ReadonlyMap<string, number> {
  return new Map(
    [...byName].flatMap(([name, unit]) => (unit.dimension === dimension ? [[name, unit.factor]] : [])),
  )
}

/** Whether a text is the symbol of a unit in its own letter case: m, but not M. */
export const isUnitSymbol = (text: string): boolean => bySymbol.has(text.normalize('NFKC'))
