import { writeAddressKey } from '../../text/canonical-url.ts'
import { withPlainLaws } from '../../text/law-articles.ts'
import { composeUnicode } from '../../text/numbers.ts'
import { foldCase } from '../../text/plain-text.ts'
import { pythonFloat } from '../python/number.ts'

const fileExtension = /\.(?:md|markdown|pdf|txt|html?|docx?|xlsx?|csv|tsv|json|xml|rtf|htm)$/i

/** Signs of bounds. */
export const boundSigns: readonly (readonly [RegExp, string])[] = [
  [/>=|[≧⩾]/g, '≥'],
  [/<=|[≦⩽]/g, '≤'],
]
/** Different spellings of the same sign. */
const signSpellings: readonly (readonly [RegExp, string])[] = [
  [/[−‐‑‒–—]/g, '-'],
  ...boundSigns,
  [/!=/g, '≠'],
  [/\+\/-/g, '±'],
  [/[≈≃≅∼]/g, '~'],
  [/(?<=\d) *[x*∗⋅·✕✖] *(?=\d)/g, '×'],
]
/**
 * Mathematical signs and arrows, which change a value: `≤ 5` and `↓ 5` are not `5`. The bar is excluded, because it
 * separates columns.
 */
const valueSign = String.raw`(?:(?!\|)\p{Sm}|[\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11▲△▼▽])`
const isValueSign = new RegExp(`^${valueSign}$`, 'u')
const aroundValueSign = new RegExp(` *(${valueSign}) *`, 'gu')
/**
 * Spaces that mean nothing: before a sign or unit (`20 %`, `5 kWh`, `45° N`), after a sign of money, between the parts of a
 * score or ratio (`1 - 0`), and around `&`.
 */
const spaceInValue = new RegExp(
  [
    '(?<=\\d) (?=[%‰°]|\\p{Sc}|\\p{L})',
    '(?<=[%‰°]) (?=\\p{Script=Latin}(?!\\p{L}))',
    '(?<=°) (?=\\d)',
    '(?<=\\p{Sc}) (?=\\d)',
    '(?<=\\d) (?=[-:/] \\d)',
    '(?<=\\d ?[-:/]) (?=\\d)',
    '(?<=[\\p{L}\\d]) (?=& ?[\\p{L}\\d])',
    '(?<=[\\p{L}\\d] ?&) (?=[\\p{L}\\d])',
  ].join('|'),
  'gu',
)
/** Negative numbers as accounts write them. */
const accountingNegative = /^([$€£¥]?)\s*\(\s*([$€£¥]?)\s*((?:\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?)\s*\)\s*(%?)$/

/** Most texts: none of the rules above changes them. */
const withoutSigns = /^(?!.*\d *x)[a-z0-9 .,;:'"%$&#@_-]*$/

/** An address of mail or of the web, in which every sign counts. */
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$|^https?:\/\/\S+$/i
/** Most texts: only their case changes. */
const plainWords = /^[a-z]+(?: [a-z]+)*(?: \d+)?$/i

/**
 * Normalises a text for comparison by rules: NFKC; Unicode case folding; articles of Chinese laws in Arabic numerals
 * without their state; without a leading `the`; without punctuation that does not change a value, and without the space
 * between a number and its sign or unit.
 */
export function normaliseText(text: string): string {
  if (plainWords.test(text)) return text.toLowerCase().replace(/^the (?=.)/, '')
  if (address.test(text)) return foldCase(writeAddressKey(text))
  return withUniformSigns(foldCase(withPlainLaws(composeUnicode(text))).trim())
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[\p{P}\p{S}\p{Z}\s\p{Cf}]+/gu, (run, at: number, whole: string) =>
      keepPunctuation(run, at, whole),
    )
    .replace(aroundValueSign, '$1')
    .replace(spaceInValue, '')
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
    .trim()
    .replace(/^the (?=.)/, '')
}

/** Unifies the spelling of signs and of negative numbers. */
function withUniformSigns(text: string): string {
  if (withoutSigns.test(text)) return text
  let plain = text.replace(accountingNegative, '-$1$2$3$4')
  for (const [spelling, sign] of signSpellings) plain = plain.replace(spelling, sign)
  return plain
}

/** Keeps signs that change a value, some only next to a digit or letter. Other punctuation becomes a space. */
function keepPunctuation(run: string, at: number, whole: string): string {
  const afterLetter = isLetterSign(
    run,
    whole.slice(Math.max(0, at - longestMarked - 1), at),
    whole[at + run.length],
  )
  const afterDigit = isDigit(whole[at - 1])
  const beforeDigit = isDigit(whole[at + run.length])
  let signs = ''
  for (const [index, sign] of [...run].entries()) {
    const inNumber = (/[.:/^]/.test(sign) && afterDigit && beforeDigit) || (sign === '-' && beforeDigit)
    const isKept =
      (afterLetter && index === 0) ||
      inNumber ||
      (/[%‰°]/.test(sign) && afterDigit) ||
      /[&@#]|\p{Sc}/u.test(sign) ||
      isValueSign.test(sign)
    signs += isKept ? sign : ' '
  }
  return signs.replace(/ +/g, ' ')
}

/** Longer words before a minus are no ratings, blood types or ions. */
const longestMarked = 5
const markedWord = /(?<![\p{L}\p{N}])(?=\p{N}*\p{L})[\p{L}\p{N}]{1,5}$/u
const singleLetter = /(?<![\p{L}\p{N}*])\p{L}$/u

/**
 * Whether a sign belongs to the letters directly before it: AA-, O-, A*, a*b, a/b. A hyphen between words, the mark of a
 * footnote and a slash between words are not part of a value.
 */
function isLetterSign(run: string, before: string, next: string | undefined): boolean {
  const joins = run.length === 1 && next !== undefined && /[\p{L}\p{N}]/u.test(next)
  if (run.startsWith('-')) return !joins && markedWord.test(before)
  if (run === '*' && joins) return /\p{L}$/u.test(before)
  return (run.startsWith('*') || (run === '/' && joins)) && singleLetter.test(before)
}

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Whether a text has a known file extension. */
export const hasFileExtension = (text: string): boolean => fileExtension.test(text.trim())

/**
 * Normalises a key for comparison by rules: like a text, without its path and file extension.
 *
 * @param isFileName removes a path even when no extension shows that this is a file
 */
export function normaliseKey(text: string, isFileName: boolean): string {
  const plain = composeUnicode(text).trim()
  const withoutPath = isFileName || hasFileExtension(plain) ? plain.replace(/^.*[/\\](?=[^/\\])/s, '') : plain
  return normaliseText(withoutPath.replace(fileExtension, ''))
}

/** Digits grouped as thousands or lakhs: `1,234`, `12,34,567`. In `1,2` and `2021,2022` commas separate two numbers. */
const grouped = /^\s*[-+]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?\s*$/

/**
 * Whether two texts contain the same number in any spelling (36 and 36.0). A code with a leading zero is not a
 * number.
 */
export function isSameNumber(left: string, right: string): boolean {
  if (/^0\d/.test(left) || /^0\d/.test(right)) return false
  // Long codes lose digits as numbers.
  if (/^\d{16,}$/.test(left) && /^\d{16,}$/.test(right)) return left === right
  const a = readNumber(left)
  return a !== null && a === readNumber(right)
}

function readNumber(text: string): number | null {
  return pythonFloat(grouped.test(text) ? text.replaceAll(',', '') : text)
}
