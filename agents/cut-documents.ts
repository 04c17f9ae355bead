import type { ContextDocument } from '../src/core/document.ts'
import type { SettingEnvironment } from './setting.ts'

export type CutStrategy = SettingEnvironment['cutStrategy']

export interface CutDocument {
  readonly hint: string
  /** As it goes into the prompt. */
  readonly text: string
  /** Characters of the document, and how many of them stand in the prompt. */
  readonly chars: number
  readonly charsInPrompt: number
  readonly problem: string | null
  readonly ocr: boolean
}

export interface CutDocuments {
  readonly documents: readonly CutDocument[]
  readonly wasCut: boolean
}

/** Stands where characters were left out. */
const gap = '[...]'
/** Rounds after which what stands around the documents is counted by itself. */
const patience = 24

/**
 * Fits documents into a number of tokens: `even` keeps the same share of each from its beginning, `head` whole documents
 * in order until the room is used, `head-tail` the same share of each from both ends. `count` measures a prompt made
 * of the documents; a limit of null is none. What is left out is known in characters.
 */
export function cutDocuments(
  documents: readonly ContextDocument[],
  strategy: CutStrategy,
  limitTokens: number | null,
  count: (documents: readonly CutDocument[]) => number,
): CutDocuments {
  const whole = documents.map(document => keep(document, document.text.length, strategy))
  if (limitTokens === null || surelyFits(documents, limitTokens) || count(whole) <= limitTokens)
    return { documents: whole, wasCut: false }
  const total = documents.reduce((sum, { text }) => sum + text.length, 0)
  // No tokenizer averages ten characters a token over a document: more than that need not be counted to be too long.
  let kept = Math.min(total, limitTokens * 10)
  let cut = take(documents, strategy, kept)
  let frame = 0
  for (let round = 0; kept > 0; round++) {
    const tokens = count(cut)
    if (tokens <= limitTokens) return { documents: cut, wasCut: true }
    // Beside a long conversation the share of the whole says little of what the documents may have.
    if (round === patience) frame = count(take(documents, strategy, 0))
    if (frame >= limitTokens) break
    const share = (limitTokens - frame) / (tokens - frame)
    kept = Math.max(0, Math.floor(Math.min(kept * share * 0.99, kept - 1)))
    cut = take(documents, strategy, kept)
  }
  return { documents: take(documents, strategy, 0), wasCut: true }
}

/** Every token is at least one byte, so few enough bytes need no counting; the frame around them is left some room. */
function surelyFits(documents: readonly ContextDocument[], limitTokens: number): boolean {
  const chars = documents.reduce((sum, { text, hint }) => sum + text.length + hint.length + 60, 0)
  return chars * 3 + 10_000 <= limitTokens
}

function take(documents: readonly ContextDocument[], strategy: CutStrategy, chars: number): CutDocument[] {
  if (strategy === 'head') {
    let left = chars
    return documents.map(document => {
      const kept = Math.min(left, document.text.length)
      left -= kept
      return keep(document, kept, strategy)
    })
  }
  const total = documents.reduce((sum, { text }) => sum + text.length, 0)
  const share = total === 0 ? 0 : chars / total
  return documents.map(document => keep(document, Math.floor(document.text.length * share), strategy))
}

function keep(document: ContextDocument, keptChars: number, strategy: CutStrategy): CutDocument {
  const { hint, text, problem, ocr = false } = document
  const common = { hint, chars: text.length, problem, ocr }
  if (keptChars >= text.length) return { ...common, text, charsInPrompt: text.length }
  if (strategy === 'head-tail') {
    const head = headOf(text, Math.ceil(keptChars / 2))
    const tail = tailOf(text, Math.floor(keptChars / 2))
    const charsInPrompt = head.length + tail.length
    return { ...common, text: `${head}\n${gap}\n${tail}`, charsInPrompt }
  }
  const head = headOf(text, keptChars)
  return { ...common, text: `${head}\n${gap}`, charsInPrompt: head.length }
}

function headOf(text: string, chars: number): string {
  return text.slice(0, endsInPair(text, chars) ? chars - 1 : chars)
}

function tailOf(text: string, chars: number): string {
  const start = text.length - chars
  return text.slice(endsInPair(text, start) ? start + 1 : start)
}

/** Whether a cut at this place would part a surrogate pair. */
function endsInPair(text: string, place: number): boolean {
  return place > 0 && /[\uD800-\uDBFF]/.test(text.charAt(place - 1))
}
