import { namesCode, namesCount, readColumnSubject } from './column-subjects.ts'
import { readCurrencies, readScaledCurrency, type WrittenCurrency } from './currencies.ts'
import { readScaleLetter, readScaleWord } from './scales.ts'
import { readShareOfName, type ShareOf } from './unit-words.ts'
import { type Dimension, isUnitSymbol, readUnit, type Unit } from './units.ts'

/** What the name of a column says about its numbers. */
export interface ColumnUnit {
  /** The scale that the name states in brackets or after `in`; null when it states no unit. */
  readonly scale: number | null
  readonly unit: Unit | null
  readonly currencies: readonly WrittenCurrency[]
  /** Percentages, per mille or basis points; null when the name states none. */
  readonly shareOf: ShareOf | null
  /** What its words say that the numbers measure; `counted` for money and counts. */
  readonly subject: Dimension | 'counted' | null
  /** Its numbers count things. */
  readonly isCount: boolean
  /** Its numbers are codes, whose zeros count. */
  readonly areCodes: boolean
}

const cache = new Map<string, ColumnUnit>()
const mostKnown = 10_000

/** Reads what a column's name says about its numbers. Results are kept, because names recur. */
export function readColumnUnit(name: string): ColumnUnit {
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  if (cache.size >= mostKnown) cache.clear()
  const columnFacts = readColumn(name.normalize('NFKC'))
  cache.set(name, columnFacts)
  return columnFacts
}

const stateForms =
  /\([^()]*\)|\[[^[\]]*\]|\bin\s+.*$|[,:]\s*[^,:]{1,12}$|_(?:in_)?(?:millions?|thousands?|billions?|mn|bn|pct|percent|kg|km|cm|mm|m|usd|eur|gbp|cny|jpy|k)$/gi

function readColumn(name: string): ColumnUnit {
  const parts = (name.match(stateForms) ?? []).map(part =>
    part
      .replace(/^[([_,:/]+|[)\]]+$/g, '')
      .replace(/^\s*(?:in_|in\s+)/i, '')
      .replaceAll('_', ' ')
      .trim(),
  )
  const unitText = parts.join(' ')
  const currencies = readCurrencies(name.replaceAll('_', ' '), unitText)
  const subject = readColumnSubject(name)
  const words = parts.flatMap(part => [part, ...part.split(/[\s,;()]+/)])
  const isCounted = currencies.length > 0 || subject === 'counted'
  const unit =
    words.map(word => readColumnWord(word, isCounted, subject)).find(candidate => candidate !== null) ?? null
  const scale = unit?.dimension === 'force' ? null : readScale(unitText, isCounted)
  const isFull = currencies.length > 0 || /[元股]|\bshares?\b/i.test(unitText)
  const shareOf = readShare(name, unitText, subject)
  return {
    scale: scale ?? (isFull ? 1 : null),
    unit,
    currencies,
    shareOf,
    subject,
    isCount: namesCount(name),
    areCodes: namesCode(name),
  }
}

/** What a column's name says that its numbers are shares of. `bps` may be bits per second, and BP a name. */
function readShare(name: string, unitText: string, subject: ColumnUnit['subject']): ShareOf | null {
  const isRate = subject !== 'data' && !/\bbaud\b/i.test(name)
  if (isRate && (/(?<![a-z])bps(?![a-z])|basis points?|基点/i.test(name) || /\bbp\b/.test(unitText)))
    return 10_000
  return readShareOfName(name) ?? (/\bp\.?p\b|百分点/i.test(unitText) ? 100 : null)
}

const shareUnits = new Set<Dimension>(['shares', 'people', 'pages', 'multiple'])

/** The unit that a word of a column's name states. Beside money, a letter is a scale. */
function readColumnWord(word: string, isCounted: boolean, subject: ColumnUnit['subject']): Unit | null {
  if ((isCounted || (word === 'MN' && subject !== 'force')) && readScaleLetter(word) !== null) return null
  const symbol = word === 'pp' && subject === null ? 'p.p.' : word
  const unit = isUnitSymbol(symbol) || word.length > 1 ? readUnit(symbol) : null
  return unit === null || shareUnits.has(unit.dimension) ? null : unit
}

const headerScales: readonly (readonly [RegExp, number])[] = [
  [/billions?|\bbn\b|十亿/i, 1e9],
  [/亿/, 1e8],
  [/millions?|\bmn\b|\bmln\b|\bmm\b(?=\s*(?:usd|\$))|百万/i, 1e6],
  [/万/, 1e4],
  [/thousands?|千元|'000|\bk(?=[A-Z]{3}\b)/i, 1e3],
]

/** The scale in the part of a column's name that states a unit. A letter counts beside money: `$m`, `USD k`, `kSEK`. */
function readScale(unitText: string, isCounted: boolean): number | null {
  const named = headerScales.find(([pattern]) => pattern.test(unitText))?.[1]
  if (named !== undefined) return named
  for (const [written, word = ''] of unitText.matchAll(/(\p{L}+)\p{Sc}?/gu)) {
    const factor = readScaleWord(word) ?? readScaledCurrency(written)?.factor ?? null
    if (factor !== null) return factor
    const letter = isCounted ? readScaleLetter(word) : null
    if (letter !== null) return letter
  }
  return null
}

/**
 * Whether a column's name is that of a figure which is printed in percent, such as a margin. Ratios, exchange rates and
 * amounts a unit are not: a current ratio of 1.5 is not 1.5%.
 */
export const isPercentByNature = (name: string): boolean =>
  /\bmargins?\b|\bgrowth\b|\bshare of\b|\breturn on\b|率/i.test(name)
    ? !/汇率|倍率|per |周转率/i.test(name)
    : /\brate\b/i.test(name) &&
      !/exchange|conversion|turnover|heart|hourly|daily|per |\bflow|\bdata|\bbit|frame/i.test(name)

const figures = /^[\d.]+$/

/** Whether two texts are different codes under such a name: 007 and 7, version 3.10 and 3.1. A fraction of zeros is left out. */
export function areDifferentCodes(left: string, right: string, column: string): boolean {
  if (!figures.test(left) || !figures.test(right) || !readColumnUnit(column).areCodes) return false
  return left.replace(/\.0+$/, '') !== right.replace(/\.0+$/, '')
}
