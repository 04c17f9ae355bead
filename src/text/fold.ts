import { namesOtherCurrency } from './currencies.ts'
import { withPlainCitations } from './law-articles.ts'
import { withArabicAmounts } from './numbers.ts'
import { foldCase, hasCjk, withoutInvisible } from './plain-text.ts'

/**
 * A text reduced to its letters and digits, so that a value is found whatever its spacing, hyphens and punctuation.
 * Digits that were separated stay separated by `·`: 9,094 is not found in 90-94.
 */
export interface FoldedText {
  readonly text: string
  /** 1 where a word starts at that position of `text`. */
  readonly starts: Uint8Array
  /** 1 where a word ends just before that position. */
  readonly ends: Uint8Array
  /** 1 where a word starts after a break, such as a comma or another column. */
  readonly breaks: Uint8Array
}

const separator = '·'
const marks = /\p{M}+/gu
/** Footnote marks do not belong to the word or number before them. */
const raised = /[\u00b2\u00b3\u00b9\u2070-\u209c]/g

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether two adjacent pieces belong to one word, such as `FY` and `2025`. */
function isSameWord(previous: string, next: string, adjacent: boolean): boolean {
  return adjacent && !isOneCjk(previous) && !isOneCjk(next)
}

function isOneCjk(text: string): boolean {
  const code = text.charCodeAt(0)
  return code >= 0x3040 && code <= 0xd7af
}

// Combining marks are dropped first, so each non-ASCII run can be normalised on its own.
const beyondAscii = /[^\0-\x7f]+/g

/** A text that separates two phrases, unlike a space, a hyphen or the end of a line. */
const breakBetween = /[\t|,;:]|\s[-–—•*]+\s|\n\s*\n/

/** Applies compatibility normalisation and removes diacritics. */
function withoutForms(text: string): string {
  return text.replace(raised, ' ').normalize('NFKD').replace(marks, '').normalize('NFKC')
}

/**
 * Folds a text: compatibility normalisation, Unicode case folding, no diacritics. Each article of a Chinese law becomes one
 * citation, and Chinese amounts such as 十一年 have Arabic digits.
 */
export function foldText(source: string): FoldedText {
  const cited = withPlainCitations(withoutInvisible(source))
  const plain = foldCase(withArabicAmounts(cited).replace(beyondAscii, withoutForms))
  const parts: string[] = []
  const startAt: number[] = []
  const endAt: number[] = []
  const breakAt: number[] = []
  let length = 0
  let previous = ''
  let previousEnd = -1
  for (let at = findNextPiece(plain, 0); at < plain.length; at = findNextPiece(plain, previousEnd)) {
    const next = plain.slice(at, findPieceEnd(plain, at))
    const adjacent = at === previousEnd
    const apart =
      !adjacent && isDigit(previous.charCodeAt(previous.length - 1)) && isDigit(next.charCodeAt(0))
    if (apart) {
      parts.push(separator)
      length += 1
    }
    if (!isSameWord(previous, next, adjacent)) {
      if (previous !== '') endAt.push(apart ? length - 1 : length)
      startAt.push(length)
      if (breakBetween.test(plain.slice(Math.max(0, previousEnd), at))) breakAt.push(length)
    }
    parts.push(next)
    length += next.length
    previous = next
    previousEnd = at + next.length
  }
  endAt.push(length)
  return {
    text: parts.join(''),
    starts: makeFlags(startAt, length),
    ends: makeFlags(endAt, length),
    breaks: makeFlags(breakAt, length),
  }
}

/**
 * The kind of piece that a character belongs to. Chinese, Japanese and Korean characters stand alone, because these
 * scripts do not separate words.
 */
const kinds = { unknown: 0, none: 1, alone: 2, letter: 3, number: 4 } as const
type CharacterKind = (typeof kinds)[keyof typeof kinds]

const letter = /\p{L}/u
const number = /\p{N}/u
/** Kinds by UTF-16 unit, filled on first use: a regular expression for each character takes ten times as long. */
const kindOfUnit = new Uint8Array(0x10000)

function readKind(text: string, at: number): CharacterKind {
  const unit = text.charCodeAt(at)
  const isSurrogate = unit >= 0xd800 && unit <= 0xdbff
  if (isSurrogate) return classify(String.fromCodePoint(text.codePointAt(at)!))
  const unitKind = kindOfUnit[unit] as CharacterKind
  if (unitKind !== kinds.unknown) return unitKind
  const kind = classify(text.charAt(at))
  kindOfUnit[unit] = kind
  return kind
}

function classify(character: string): CharacterKind {
  if (hasCjk(character)) return kinds.alone
  if (letter.test(character)) return kinds.letter
  return number.test(character) ? kinds.number : kinds.none
}

const measureWidth = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** The start of the next piece; the length of the text when there is none. */
function findNextPiece(text: string, from: number): number {
  let at = Math.max(0, from)
  while (at < text.length && readKind(text, at) === kinds.none) at += measureWidth(text, at)
  return at
}

/** The end of a piece: a word, a number, or one character that stands alone. */
function findPieceEnd(text: string, start: number): number {
  const kind = readKind(text, start)
  let at = start + measureWidth(text, start)
  if (kind === kinds.alone) return at
  while (at < text.length && readKind(text, at) === kind) at += measureWidth(text, at)
  return at
}

function makeFlags(positions: readonly number[], length: number): Uint8Array {
  const padded = new Uint8Array(length + 1)
  for (const position of positions) padded[position] = 1
  return padded
}

/**
 * Words that change the meaning of the next word: an associate professor is not a professor, and non-current assets are
 * not current assets.
 */
const changingWord = /^(?:associate|assistant|adjunct|visiting|vice|deputy|acting|interim|non|副|非)$/

/** Whether a word, in lower case, changes the meaning of the next word. */
export function changesMeaning(word: string): boolean {
  return changingWord.test(word)
}

/** Endings that do not change what a word names: a heading `Visiting Professorships` is evidence of a professor. */
const keptEndings = ['s', 'es', 'ship', 'ships']
/** With such an ending, shorter words often name something else. */
const leastLettersBeforeEnding = 4
const endsWithWord = new RegExp(`[a-z]{${leastLettersBeforeEnding}}$`)

/** Whether a word of the text ends at this place, or continues only with such an ending. */
function endsAt({ text, ends }: FoldedText, end: number, needle: string): boolean {
  if (ends[end] === 1) return true
  return (
    endsWithWord.test(needle) &&
    keptEndings.some(ending => ends[end + ending.length] === 1 && text.startsWith(ending, end))
  )
}

/**
 * Whether the text contains the folded needle from the start of a word to the end of a word, which may be in the
 * plural. A place after a word that changes its meaning does not count.
 */
export function containsAtWords(haystack: FoldedText, needle: string): boolean {
  if (needle === '') return false
  const { text, starts } = haystack
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const isWhole = starts[at] === 1 && endsAt(haystack, at + needle.length, needle)
    if (!isWhole) continue
    const before = haystack.breaks[at] === 1 ? '' : findWordBefore(haystack, at)
    if (!changesMeaning(before) && !namesOtherCurrency(before, needle)) return true
  }
  return false
}

/** Only texts of about a dozen words and more: shorter ones could be put together from unrelated places. */
const leastPassageChars = 60
/** The least length of a piece of a passage, about four words, and the most text between two pieces: a page's margins. */
const leastPieceChars = 16
const mostCharsBetween = 1_000

/**
 * Whether the text contains a long passage that other text interrupts, such as a page's header or the other column of
 * a page. The pieces of the passage must be whole words, in order and close to each other.
 */
export function containsInterrupted(haystack: FoldedText, passage: string): boolean {
  if (passage.length < leastPassageChars) return false
  const alike = withoutLookAlikes(haystack)
  const searched = mergeLookAlikes(passage)
  const first = searched.slice(0, leastPieceChars)
  for (let at = alike.text.indexOf(first); at !== -1; at = alike.text.indexOf(first, at + 1)) {
    if (alike.starts[at] === 1 && containsPiecesFrom(alike, searched, at)) return true
  }
  return false
}

const mergedTexts = new WeakMap<FoldedText, FoldedText>()

function withoutLookAlikes(haystack: FoldedText): FoldedText {
  const merged = mergedTexts.get(haystack) ?? { ...haystack, text: mergeLookAlikes(haystack.text) }
  mergedTexts.set(haystack, merged)
  return merged
}

/** Text recognition confuses 1, I and l, and 0 and O. In a long passage, this does not make it another one. */
const mergeLookAlikes = (text: string): string => text.replace(/[il]/g, '1').replaceAll('o', '0')

function containsPiecesFrom({ text, starts, ends }: FoldedText, passage: string, start: number): boolean {
  let rest = passage
  let at = start
  for (;;) {
    let length = 0
    while (length < rest.length && text.charCodeAt(at + length) === rest.charCodeAt(length)) length += 1
    while (length > 0 && ends[at + length] !== 1) length -= 1
    if (length === rest.length) return true
    if (length < leastPieceChars) return false
    at += length
    rest = rest.slice(rest[length] === separator ? length + 1 : length)
    // A raised figure, as in n², is left out of the text.
    if (/^\d\D/.test(rest) && text.startsWith(rest.slice(1, 1 + leastPieceChars), at)) rest = rest.slice(1)
    const next = text.slice(at, at + mostCharsBetween).indexOf(rest.slice(0, leastPieceChars))
    if (next === -1 || starts[at + next] !== 1) return false
    at += next
  }
}

const longestChangingWord = 'australian'.length

function findWordBefore({ text, starts }: FoldedText, at: number): string {
  for (let start = at - 1; start >= Math.max(0, at - longestChangingWord); start--) {
    if (starts[start] === 1) return text.slice(start, at)
  }
  return ''
}
