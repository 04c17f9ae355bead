/**
 * Currencies by code, sign and name. Codes, signs and English names come from the platform's Unicode data, which follow
 * ISO 4217; src/text/currency-data.ts adds what people write and these data lack.
 */

import { furtherNames, furtherSigns, hundredths, majorCodes, notSigns, prefixOnly } from './currency-data.ts'
import { escapePattern, hasCjk } from './plain-text.ts'
import { readScaleLetter } from './scales.ts'

/** All codes of ISO 4217 that the platform knows. */
const codes = Intl.supportedValuesOf('currency')

/** The platform's data of all currencies take tens of milliseconds to collect: many commands read no amount. */
function cacheOnFirstUse<Value>(make: () => Value): () => Value {
  let cached: { readonly value: Value } | null = null
  return () => (cached ??= { value: make() }).value
}

const formatCurrency = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name'): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
    .formatToParts(2)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** The currencies that a sign may mean. A sign with a usual currency has it first. */
const codesBySign = cacheOnFirstUse(listSigns)

function listSigns(): ReadonlyMap<string, readonly string[]> {
  const signs = new Map<string, string[]>()
  // The full signs come first: `$` is usually USD and `£` GBP.
  for (const display of ['symbol', 'narrowSymbol'] as const)
    for (const code of codes) {
      const sign = formatCurrency(code, display).replace(/\s/g, ' ')
      if (sign === code || notSigns.has(sign)) continue
      const meant = signs.get(sign) ?? []
      if (!meant.includes(code)) signs.set(sign, [...meant, code])
    }
  for (const [sign, meant] of Object.entries(furtherSigns)) signs.set(sign, [...meant])
  return signs
}

/** Signs without a usual currency: kroner and rupees may be of several countries. */
const signsWithoutUsual = new Set(['kr', 'kr.', '¥', '￥', 'Rs', 'Rs.', 'dirham', 'dirhams'])

const codesByName = cacheOnFirstUse(listNames)

function listNames(): ReadonlyMap<string, string> {
  const codeByName = new Map<string, string>()
  const displayNames = new Intl.DisplayNames('en', { type: 'currency' })
  for (const code of codes)
    for (const name of [formatCurrency(code, 'name'), displayNames.of(code) ?? code])
      if (name !== code) codeByName.set(normaliseName(name), code)
  for (const [code, ...names] of furtherNames)
    for (const name of names) codeByName.set(normaliseName(name), code)
  return codeByName
}

function normaliseName(name: string): string {
  return name
    .replaceAll('.', '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<=[a-z]{3})s$/, '')
    .trim()
}

const findCode = (text: string): string | null => {
  const upper = text.toUpperCase()
  if (upper === 'RMB') return 'CNY'
  if (!codes.includes(upper)) return null
  return upper === text || majorCodes.has(upper) ? upper : null
}

/** A currency as it is written beside an amount. */
export interface WrittenCurrency {
  /** All currencies that it may mean. */
  readonly meanings: readonly string[]
  /** What it means when nothing else decides. */
  readonly usual: readonly string[]
  /** It is a sign such as €, not a code or a word. */
  readonly isSign: boolean
}

/**
 * Reads a text that is one currency: a code, a sign or a name.
 *
 * @param isBefore whether it is before the amount: some signs only count there
 */
export function readCurrency(text: string, isBefore = false): WrittenCurrency | null {
  const code = findCode(text) ?? (isBefore || !prefixOnly.has(text) ? null : '')
  if (code === '') return null
  const isSign = /\p{Sc}/u.test(text)
  if (code !== null) return { meanings: [code], usual: [code], isSign }
  const meant = codesBySign().get(text) ?? codesBySign().get(text.includes('$') ? text.toUpperCase() : text)
  if (meant !== undefined)
    return { meanings: meant, usual: signsWithoutUsual.has(text) ? meant : meant.slice(0, 1), isSign }
  const named = codesByName().get(normaliseName(text))
  return named === undefined ? null : { meanings: [named], usual: [named], isSign }
}

/** Reads a word for hundredths of a currency, such as `cents`; null for any other text. */
export function readHundredths(text: string): WrittenCurrency | null {
  const meanings = hundredths.get(text.toLowerCase())
  return meanings === undefined ? null : { meanings, usual: meanings, isSign: text === '¢' }
}

/** Returns what two signs beside one amount mean together, as in `A$ 5 AUD`; null when they contradict each other. */
export function joinCurrencies(
  before: WrittenCurrency | null,
  after: WrittenCurrency | null,
): WrittenCurrency | null {
  if (before === null || after === null) return before ?? after
  const meanings = before.meanings.filter(code => after.meanings.includes(code))
  const usual = meanings.filter(code => before.usual.includes(code) || after.usual.includes(code))
  return meanings.length === 0 ? null : { ...before, meanings, usual: usual.length > 0 ? usual : meanings }
}

const pointGroups = new Set(
  'EUR BRL IDR VND CLP COP ARS PYG UYU CRC DKK NOK ISK TRY RSD RON BAM MKD'.split(' '),
)

/** Whether amounts of a currency are grouped with points where it is used: €5.000 may be five thousand euros. */
export const mayGroupWithPoints = ({ usual }: WrittenCurrency): boolean =>
  usual.some(code => pointGroups.has(code))

/** Whether amounts of a currency have three decimals, as in Kuwait. */
export const hasThreeDecimals = ({ usual }: WrittenCurrency): boolean =>
  usual.some(
    currency =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ===
      3,
  )

const isWordLike = (text: string): boolean => /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text)
const endsAsWord = (text: string): boolean => /[\p{Script=Latin}\p{Script=Cyrillic}]$/u.test(text)
const matchWhole = (text: string): string =>
  `${isWordLike(text) ? '(?<!\\p{L})' : ''}${escapePattern(text)}${endsAsWord(text) ? '(?!\\p{L})' : ''}`
const sortLongestFirst = (texts: Iterable<string>): string[] => [...texts].sort((a, b) => b.length - a.length)

/** Source of an expression for all signs and codes, for the flag `u` without `i`. */
export const writeCurrencyForm = (): string => `${signForm()}|${codeForm}`
const signForm = cacheOnFirstUse(
  () => `(?:${sortLongestFirst(codesBySign().keys()).map(matchWhole).join('|')})`,
)
const codeForm = `(?<!\\p{L})(?:${[...codes, 'RMB', ...[...majorCodes].map(code => code.toLowerCase())].join('|')})(?!\\p{L})`

const anySign = cacheOnFirstUse(() => new RegExp(signForm(), 'gu'))
/** Codes, also after the letter of a scale: kSEK. */
const anyCode = new RegExp(
  `(?:(?<!\\p{L})|(?<=(?<!\\p{L})[kmMb]))(?:${[...codes, 'RMB'].join('|')})(?!\\p{L})`,
  'gu',
)
const anyMajorCode = new RegExp(`(?<![a-z])(?:${[...majorCodes].join('|')})(?![a-z])`, 'gi')
const anyName = new RegExp(
  `(?:${sortLongestFirst(furtherNames.flatMap(([, ...names]) => names))
    .map(name => (isWordLike(name) ? `(?<!\\p{L})${escapePattern(name)}s?(?!\\p{L})` : escapePattern(name)))
    .join('|')})`,
  'giu',
)

/**
 * The currencies that a column's name states, each with all that it may mean; empty when it states none. Signs and
 * frequent codes count anywhere, other codes and words only in the part that states a unit: there is also a Euro area,
 * and TOP is a word.
 *
 * @param unit the part of the name that states a unit
 */
export function readCurrencies(name: string, unit: string): readonly WrittenCurrency[] {
  const signs = (text: string): string[] =>
    [...text.matchAll(anySign())].map(([sign]) => sign).filter(sign => !hasCjk(sign))
  const inName = [
    ...[...name.matchAll(anyMajorCode)].map(([code]) => code),
    ...signs(name).filter(sign => !/^\p{L}+\.?$/u.test(sign)),
    ...[...name.matchAll(anyName)].map(([word]) => word).filter(hasCjk),
  ]
  const inUnit = [...unit.matchAll(anyCode), ...unit.matchAll(anyName)].map(([word]) => word)
  const scaled = (unit.match(/\p{L}+\p{Sc}?/gu) ?? []).filter(word => readScaledCurrency(word) !== null)
  const candidates = [...inName, ...inUnit, ...signs(unit), ...scaled.map(word => word.slice(1))]
  const written = candidates.length > 0 ? candidates : unit.includes('元') ? ['元'] : []
  return [...new Set(written)].flatMap(word => readCurrency(word, true) ?? [])
}

/** A scale letter directly before a code or sign. In German, T is a thousand there: TEUR, T€. */
const scaledCurrency = /^([kKmMbT])(?:([A-Z]{3})|(\p{Sc}))$/u

/** Reads a currency with a scale letter directly before it: kSEK, MEUR, TEUR, T€. Null for a currency alone, such as T$. */
export function readScaledCurrency(
  text: string,
): { readonly factor: number; readonly currency: WrittenCurrency } | null {
  const [, letter, code, sign] = scaledCurrency.exec(text) ?? []
  if (letter === undefined || readCurrency(text) !== null) return null
  const currency = readCurrency(code ?? sign ?? '')
  return currency === null ? null : { factor: letter === 'T' ? 1e3 : readScaleLetter(letter)!, currency }
}

/** Whether a text ends with a currency, as before an amount: `US$`, `EUR `, `₹`. */
const currencyEnd = cacheOnFirstUse(() => new RegExp(`(?:${writeCurrencyForm()})\\s?$`, 'u'))
export const endsWithCurrency = (text: string): boolean => currencyEnd().test(text)

const furtherNamesOf = new Map(
  furtherNames.toReversed().flatMap(names => names.map(name => [normaliseName(name), names] as const)),
)

/** Lists the other names of a currency; empty for anything else. Names are compared without case, points and plural. */
export function listCurrencyNames(value: string): readonly string[] {
  return furtherNamesOf.get(normaliseName(value)) ?? []
}

/** The words before `dollar` in the names of other dollars: `kong`, `australian`. */
const otherDollars = cacheOnFirstUse(
  () =>
    new Set(
      [...codesByName()].flatMap(([name, code]) => {
        const [, land] = /^(.+) dollar$/.exec(name) ?? []
        return land === undefined || code === 'USD' ? [] : [land.split(' ').at(-1)!]
      }),
    ),
)

/**
 * Whether a word makes the name of a currency that of another one: a Hong Kong dollar is no evidence of the dollar.
 *
 * @param before the word before the name, in lower case
 * @param name the folded name
 */
export function namesOtherCurrency(before: string, name: string): boolean {
  return name === 'dollar' && otherDollars().has(before)
}
