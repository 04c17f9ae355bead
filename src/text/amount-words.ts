import { readCurrency, readHundredths, readScaledCurrency, type WrittenCurrency } from './currencies.ts'
import { hasCjk } from './plain-text.ts'
import { readScaleLetter, readScaleWord } from './scales.ts'
import { readUnit, type Unit } from './units.ts'

const longestWords = 4

/** A word after a number. */
export type Word = { readonly text: string } & (
  | { readonly kind: 'scale'; readonly factor: number }
  | { readonly kind: 'letter'; readonly factor: number; readonly unit: Unit | null }
  | { readonly kind: 'currency'; readonly currency: WrittenCurrency; readonly factor: number }
  | { readonly kind: 'unit'; readonly unit: Unit }
)

/** Reads the longest scale word, currency or unit at the start of a text. */
export function readWord(text: string): Word | null {
  for (const candidate of listCandidates(text)) {
    const factor = readScaleWord(candidate)
    if (factor !== null) return { kind: 'scale', text: candidate, factor }
    // The currency is read next: 5 kSEK, 5 T€.
    const scaled = readScaledCurrency(candidate)
    if (scaled !== null) return { kind: 'scale', text: candidate.slice(0, 1), factor: scaled.factor }
    const letter = readScaleLetter(candidate)
    const unit = readUnit(candidate)
    if (letter !== null) return { kind: 'letter', text: candidate, factor: letter, unit }
    const currency = readCurrency(candidate)
    if (currency !== null) return { kind: 'currency', text: candidate, currency, factor: 1 }
    const hundredths = readHundredths(candidate)
    if (hundredths !== null) return { kind: 'currency', text: candidate, currency: hundredths, factor: 0.01 }
    if (unit !== null) return { kind: 'unit', text: candidate, unit }
  }
  return null
}

/** The words at the start of a text that may be one, longest first. A letter may precede a sign: `5 M€`. */
function* listCandidates(text: string): Generator<string> {
  const words = /^\S+(?:\s+[^\s)）]+){0,3}/u.exec(text)?.[0] ?? ''
  const ends = new Set<number>()
  for (let at = Math.min(words.length, 40); at > 0; at--) {
    const [last, next] = [words.charAt(at - 1), words.charAt(at)]
    const isEnd = /\s/.test(last) ? false : next === '' || !isSameRun(last, next)
    if (isEnd) ends.add(at)
  }
  for (const end of ends)
    if (words.slice(0, end).split(/\s+/).length <= longestWords) yield words.slice(0, end)
}

const isSameRun = (last: string, next: string): boolean =>
  !hasCjk(last) && !hasCjk(next) && /[\p{L}\p{M}]/u.test(last) && /[\p{L}\p{M}\d^]/u.test(next)
