import { endsWithCurrency, readCurrency } from '../text/currencies.ts'
import { type DecimalSign, findDecimalSign, withDecimalPoint } from '../text/decimal-signs.ts'
import { numberWordsForm, readNumberWords } from '../text/number-words.ts'
import { listMixedNumbers, withAsciiDigits } from '../text/numbers.ts'
import { hasCjk } from '../text/plain-text.ts'
import { readScaleLetter, readScaleWord } from '../text/scales.ts'
import { readShareSign } from '../text/unit-words.ts'
import { isUnitSymbol } from '../text/units.ts'

/** A number in a text. */
export interface NumberToken {
  /** As printed, without percent sign and scale words; negative after a minus sign. */
  readonly value: number
  /** The number of digits, without leading zeros. */
  readonly digits: number
  readonly percent: boolean
  /** The factor of a scale word after the number (`million`, `万`); 1 without one. */
  readonly scale: number
  /** In parentheses: (1,234) may mean minus 1,234 or be a remark. */
  readonly inParentheses: boolean
  /** UTF-16 position of its first digit. */
  readonly at: number
}

/** A point before the first digit is part of the number only when nothing precedes it: `.61`, but not `No.5`. */
const run = /(?:(?<![\p{L}\d.,)])\.)?(?<!\d)\d(?:[\d.,]|(?<=\d)['’](?=\d{3}(?!\d)))*/gu
/** Spaces may group digits or separate the cells of a row, so these are numbers besides their parts. */
const spaced =
  /(?<![\d.,'’])(?<!\d[ \u00a0\u202f])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\d.,]*\d)(?![ \u00a0\u202f]\d)/gu
const grouped = /^\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?$/
const plain = /^(?:\d+(?:\.\d+)?|\.\d+)$/
/** Continental European: points group the digits and a comma begins the fraction, as in `2.417,5`. */
const pointGrouped = /^\d{1,3}(?:[.'’]\d{3})+,\d+$/
/** Only in texts with decimal commas: `3,125` and `1.250`. */
const withComma = /^(?:\d+,\d+|\d{1,3}(?:\.\d{3})+)$/
/** Letters after a number that are a unit or a scale. */
const lettersAfter = /^[\p{L}][\p{L}\d]*(?:\/\p{L}+)?/u
const otherUnits = /^(?:x|bps)$/i

/** Whether letters directly after a number belong to it: 214g is a weight, 5G is not. */
function isUnitAfter(after: string): boolean {
  const word = lettersAfter.exec(after)?.[0] ?? ''
  const isKnown = readScaleWord(word) !== null || readScaleLetter(word) !== null || isUnitSymbol(word)
  return isKnown || otherUnits.test(word) || readCurrency(word) !== null
}

const year = /^(?:1[89]|20)\d\d$/
const unitOrWork = /^[a-z](?![\p{L}\d])/u
const widened = /[\uff01-\uff5e\u3000]/g

/** Replaces full-width characters and digits of other scripts one for one, so that positions stay the same. */
function narrowText(text: string): string {
  const narrowed = text.replace(widened, wide =>
    wide === '\u3000' ? ' ' : String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  )
  const plainDigits = withAsciiDigits(narrowed.replaceAll('٫', '.').replaceAll('٬', ','))
  return plainDigits.length === text.length ? plainDigits : narrowed
}

/** A number in a run of digits, points and commas. */
interface NumberPiece {
  readonly text: string
  readonly offset: number
  readonly sign: DecimalSign
}

/** The numbers in a run of digits, points and commas. `1.2.3` is a section number, not a number. */
function splitRun(text: string, sign: DecimalSign): NumberPiece[] {
  const trimmed = text.replace(/[.,]+$/, '')
  if (pointGrouped.test(trimmed) || (sign === ',' && withComma.test(trimmed)))
    return [{ text: trimmed, offset: 0, sign: ',' }]
  if (grouped.test(trimmed) || plain.test(trimmed)) return [{ text: trimmed, offset: 0, sign: '.' }]
  if (!trimmed.includes(',')) return []
  const pieces: NumberPiece[] = []
  let offset = 0
  for (const piece of trimmed.split(',')) {
    if (plain.test(piece)) pieces.push({ text: piece, offset, sign: '.' })
    offset += piece.length + 1
  }
  return pieces
}

/**
 * Whether the number is the year of a citation such as `1990b`. Elsewhere the letter could be a unit. In a list of
 * references, the year of `(1990b).` is printed for a work, so it is a number of its own.
 */
function isCitedYear(before: string, number: string, after: string): boolean {
  const isCited = year.test(number) && unitOrWork.test(after) && !endsWithCurrency(before)
  return isCited && !isYearOfReference(before, after)
}

/** Whether a year with a letter is the date of an entry in a list of references, such as `(1990b).` */
function isYearOfReference(before: string, after: string): boolean {
  return before.endsWith('(') && /^[a-j]\)\s?[.,:]/.test(after)
}

/** Whether the number is a token of its own, unlike the 1 of `Q1`, the 2025 of `2025b` or the 12 of `1:12`. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 6), start)
  const letterBefore = /\p{L}$/u.test(before) && !hasCjk(before.slice(-1))
  if (letterBefore && !endsWithCurrency(before)) return false
  if (/\d:$/.test(before) || /^:\d/.test(text.slice(end, end + 2))) return false
  const after = text.slice(end, end + 10)
  if (isCitedYear(before, text.slice(start, end), after)) return false
  return (
    !/^\p{L}/u.test(after) ||
    isYearOfReference(before, after) ||
    hasCjk(after.charAt(0)) ||
    isUnitAfter(after)
  )
}

/**
 * A minus sign before the number, possibly with a currency sign between them. A hyphen after a word or digit is not a
 * minus.
 */
const minusBefore = /(?:^|[\s(|:;,=\u4e00-\u9fff])[-\u2212\u2013]\s?\p{Sc}?\s?$/u
const openBefore = /\(\s*\p{Sc}?\s*$/u
const closeAfter = /^\s*[%\u2030]?\s*\)/

const scaleWord =
  /^\s?(?:(?<sign>百万|百萬|万亿|十亿|十億|백만|[万萬亿億兆千만억조천])|(?<word>\p{L}{2,12})(?!\p{L}))/u

/** Only written scale words count. A single letter may be another unit, such as m for metres. */
function readScaleAfter(after: string): number {
  const { word, sign } = scaleWord.exec(after)?.groups ?? {}
  const letters = word === undefined || readScaleLetter(word) !== null ? '' : word
  return readScaleWord(sign ?? letters) ?? 1
}

function readToken(
  text: string,
  { text: source, sign }: Omit<NumberPiece, 'offset'>,
  at: number,
): NumberToken {
  const before = text.slice(Math.max(0, at - 8), at)
  const after = text.slice(at + source.length, at + source.length + 16)
  const magnitude = Number(withDecimalPoint(source, sign))
  return {
    value: minusBefore.test(before) ? -magnitude : magnitude,
    digits: source.replace(/\D/g, '').replace(/^0+/, '').length,
    percent: readShareSign(after.trimStart())?.of === 100,
    scale: readScaleAfter(text.slice(at + source.length, at + source.length + 16)),
    inParentheses: openBefore.test(before) && closeAfter.test(after),
    at,
  }
}

/**
 * Lists the numbers of a text. Thousands separators, signs, percent signs and attached units are understood; the decimal
 * sign is that of most numbers of the text.
 */
export function listNumberTokens(source: string): NumberToken[] {
  const text = narrowText(source)
  const sign = findDecimalSign(text)
  const tokens: NumberToken[] = []
  for (const match of text.matchAll(run)) {
    for (const piece of splitRun(match[0], sign)) {
      const at = match.index + piece.offset
      if (standsAlone(text, at, at + piece.text.length)) tokens.push(readToken(text, piece, at))
    }
  }
  for (const { index, 0: digits } of text.matchAll(spaced)) {
    const piece = { text: digits, sign: digits.includes(',') ? ',' : '.' } as const
    if (standsAlone(text, index, index + digits.length)) tokens.push(readToken(text, piece, index))
  }
  return [...tokens, ...listMixedTokens(text), ...listWordTokens(text)]
}

/** Whole numbers with a fraction: `2 1/4` and `2¼`. */
function listMixedTokens(text: string): NumberToken[] {
  return listMixedNumbers(text).flatMap(({ value, at, length }) => {
    if (!standsAlone(text, at, at + length)) return []
    const isNegative = minusBefore.test(text.slice(Math.max(0, at - 8), at))
    const token = readToken(text, { text: text.slice(at, at + length), sign: '.' }, at)
    return [{ ...token, value: isNegative ? -value : value, digits: 2 }]
  })
}

/** Numbers that are written in English words. `one` alone is usually not an amount. */
function* listWordTokens(text: string): Generator<NumberToken> {
  for (const match of text.matchAll(numberWordsForm)) {
    const value = readNumberWords(match[0].replaceAll(',', ' '))
    if (value === null || value < 2) continue
    yield { value, digits: 0, percent: false, scale: 1, inParentheses: false, at: match.index }
  }
}
