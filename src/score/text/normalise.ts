import { withPlainLaws } from '../../text/law-articles.ts'
import { composeUnicode } from '../../text/numbers.ts'
import { pythonFloat } from '../python/number.ts'

const fileExtension = /\.(?:md|markdown|pdf|txt|html?|docx?|xlsx?|csv|tsv|json|xml|rtf|htm)$/i

/** Spellings of one sign. */
const signSpellings: readonly (readonly [RegExp, string])[] = [
  [/[−‐‑‒–—]/g, '-'],
  [/>=|[≧⩾]/g, '≥'],
  [/<=|[≦⩽]/g, '≤'],
  [/!=/g, '≠'],
  [/\+\/-/g, '±'],
  [/[≈≃≅∼]/g, '~'],
  [/(?<=\d) *[x*∗⋅·✕✖] *(?=\d)/g, '×'],
]
/** Mathematical signs but the bar, which parts columns, and arrows: `≤ 5` and `↓ 5` are not `5`. */
const valueSign = String.raw`(?:(?!\|)\p{Sm}|[\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11▲△▼▽])`
const isValueSign = new RegExp(`^${valueSign}$`, 'u')
const aroundValueSign = new RegExp(` *(${valueSign}) *`, 'gu')
/** How accounts write less than zero. */
const accountingNegative = /^([$€£¥]?)\s*\(\s*([$€£¥]?)\s*((?:\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?)\s*\)\s*(%?)$/

/** Most texts, which no rule above changes. */
const withoutSigns = /^(?!.*\d *x)[a-z0-9 .,;:'"%$&#@_-]*$/

/**
 * Text for comparing by rules: NFKC, lower case, articles of Chinese laws in Arabic numerals without their state, without a
 * leading `the` and punctuation that changes no value.
 */
export function normaliseText(text: string): string {
  return spelled(withPlainLaws(composeUnicode(text)).toLowerCase().trim())
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[\p{P}\p{S}\p{Z}\s\p{Cf}]+/gu, (run, at: number, whole: string) =>
      keptPunctuation(run, at, whole),
    )
    .replace(aroundValueSign, '$1')
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
    .trim()
    .replace(/^the (?=.)/, '')
}

/** Text with each sign in one spelling, and a negative number of accounts as others write it. */
function spelled(text: string): string {
  if (withoutSigns.test(text)) return text
  let plain = text.replace(accountingNegative, '-$1$2$3$4')
  for (const [spelling, sign] of signSpellings) plain = plain.replace(spelling, sign)
  return plain
}

/** Signs that change a value stay, some only where they touch a digit; other punctuation parts words. */
function keptPunctuation(run: string, at: number, whole: string): string {
  const afterDigit = isDigit(whole[at - 1])
  const beforeDigit = isDigit(whole[at + run.length])
  let kept = ''
  for (const sign of run) {
    const inNumber = (/[.:/^]/.test(sign) && afterDigit && beforeDigit) || (sign === '-' && beforeDigit)
    const isKept =
      inNumber || (/[%‰°]/.test(sign) && afterDigit) || /[$€£¥&@#]/.test(sign) || isValueSign.test(sign)
    kept += isKept ? sign : ' '
  }
  return kept.replace(/ +/g, ' ')
}

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Is this a file's name, by its extension? */
export const hasFileExtension = (text: string): boolean => fileExtension.test(text.trim())

/**
 * A key for comparing by rules: as text, after its path and file extension are taken off.
 * @param isFileName whether a path goes although no extension shows that this is a file
 */
export function normaliseKey(text: string, isFileName: boolean): string {
  const plain = composeUnicode(text).trim()
  const withoutPath = isFileName || hasFileExtension(plain) ? plain.replace(/^.*[/\\](?=[^/\\])/s, '') : plain
  return normaliseText(withoutPath.replace(fileExtension, ''))
}

/** Digits parted as thousands are, or lakhs: `1,234`, `12,34,567`; in `1,2` and `2021,2022` commas part two numbers. */
const grouped = /^\s*[-+]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?\s*$/

/** Do two texts hold the same number, whatever its spelling (36 and 36.0)? A code with a leading zero is no number. */
export function sameNumber(left: string, right: string): boolean {
  if (/^0\d/.test(left) || /^0\d/.test(right)) return false
  const a = numberIn(left)
  return a !== null && a === numberIn(right)
}

function numberIn(text: string): number | null {
  return pythonFloat(grouped.test(text) ? text.replaceAll(',', '') : text)
}
