import { withPlainCitations } from '../core/law-articles.ts'

/**
 * A text reduced to its letters and digits, so that a value is found however it was spaced, hyphenated or punctuated.
 * Digits that were apart stay apart (`·`): 9,094 is not 90-94.
 */
export interface FoldedText {
  readonly text: string
  /** 1 where a word starts at that position of `text`. */
  readonly starts: Uint8Array
  /** 1 where a word ends just before that position. */
  readonly ends: Uint8Array
}

const separator = '·'
/** A word of one script: Chinese, Japanese and Korean characters stand alone, as their scripts part no words. */
const piece =
  /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\P{L}\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+|\p{N}+/gu
const marks = /\p{M}+/gu
/** Footnote marks: no part of the word or number that they stand at. */
const raised = /[\u00b2\u00b3\u00b9\u2070-\u209c]/g

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether the two pieces stood in one word, such as `FY` and `2025`. */
function sameWord(previous: string, next: string, adjacent: boolean): boolean {
  return adjacent && !isOneCjk(previous) && !isOneCjk(next)
}

function isOneCjk(text: string): boolean {
  const code = text.charCodeAt(0)
  return code >= 0x3040 && code <= 0xd7af
}

/** Reads after compatibility folding, without case and diacritics, articles of Chinese laws each as one citation. */
export function foldText(source: string): FoldedText {
  const plain = withPlainCitations(source)
    .replace(raised, ' ')
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFKC')
    .toLowerCase()
  const parts: string[] = []
  const startAt: number[] = []
  const endAt: number[] = []
  let length = 0
  let previous = ''
  let previousEnd = -1
  for (const match of plain.matchAll(piece)) {
    const next = match[0]
    const adjacent = match.index === previousEnd
    const apart =
      !adjacent && isDigit(previous.charCodeAt(previous.length - 1)) && isDigit(next.charCodeAt(0))
    if (apart) {
      parts.push(separator)
      length += 1
    }
    if (!sameWord(previous, next, adjacent)) {
      if (previous !== '') endAt.push(apart ? length - 1 : length)
      startAt.push(length)
    }
    parts.push(next)
    length += next.length
    previous = next
    previousEnd = match.index + next.length
  }
  endAt.push(length)
  return { text: parts.join(''), starts: flags(startAt, length), ends: flags(endAt, length) }
}

function flags(positions: readonly number[], length: number): Uint8Array {
  const all = new Uint8Array(length + 1)
  for (const position of positions) all[position] = 1
  return all
}

/** Whether the folded needle stands in the text from a word's start to a word's end. */
export function containsAtWords(haystack: FoldedText, needle: string): boolean {
  if (needle === '') return false
  for (let at = haystack.text.indexOf(needle); at !== -1; at = haystack.text.indexOf(needle, at + 1)) {
    if (haystack.starts[at] === 1 && haystack.ends[at + needle.length] === 1) return true
  }
  return false
}
