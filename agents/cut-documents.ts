import type { CutStrategy } from '../src/core/cut-strategy.ts'
import type { ContextDocument } from '../src/core/document.ts'

/** A document with the part of its text that goes into the prompt. */
export interface CutDocument {
  readonly hint: string
  /** The text for the prompt. */
  readonly text: string
  /** The number of characters of the document, and how many of them are in the prompt. */
  readonly chars: number
  readonly charsInPrompt: number
  /** How many of `charsInPrompt` are from the beginning. Absent: all. */
  readonly charsFromStart?: number
  readonly problem: string | null
  readonly notices?: readonly string[]
  readonly ocr: boolean
}

/** Documents for a prompt, and whether any of them was cut. */
export interface CutDocuments {
  readonly documents: readonly CutDocument[]
  readonly wasCut: boolean
}

/** Marks where characters were left out. */
const gap = '[...]'
/** After this many rounds, the prompt without any document text is counted separately. */
const roundsBeforeFrame = 24

/**
 * Fits documents into a number of tokens. `even` keeps the same share of each document from its beginning. `head` keeps
 * whole documents in order until the limit is reached. `head-tail` keeps the same share of each document from both ends.
 * Of tables, only whole rows are kept, unless not even one row fits.
 *
 * @param limitTokens - null for no limit
 * @param count - counts the tokens of a prompt with these documents
 */
export function cutDocuments(
  documents: readonly ContextDocument[],
  strategy: CutStrategy,
  limitTokens: number | null,
  count: (documents: readonly CutDocument[]) => number,
): CutDocuments {
  const whole = documents.map(document => cutOne(document, document.text.length, strategy))
  if (limitTokens === null || certainlyFits(documents, limitTokens) || count(whole) <= limitTokens)
    return { documents: whole, wasCut: false }
  const total = documents.reduce((sum, { text }) => sum + text.length, 0)
  // No tokenizer averages ten characters per token over a document, so a longer text certainly does not fit.
  let keptChars = Math.min(total, limitTokens * 10)
  let cut = cutAll(documents, strategy, keptChars)
  let frame = 0
  for (let round = 0; keptChars > 0; round++) {
    const tokens = count(cut)
    if (tokens <= limitTokens) return { documents: cut, wasCut: true }
    // Besides a long conversation, the share of the whole prompt says little about the documents.
    if (round === roundsBeforeFrame) frame = count(cutAll(documents, strategy, 0))
    if (frame >= limitTokens) break
    const share = (limitTokens - frame) / (tokens - frame)
    keptChars = Math.max(0, Math.floor(Math.min(keptChars * share * 0.99, keptChars - 1)))
    cut = cutAll(documents, strategy, keptChars)
  }
  return { documents: cutAll(documents, strategy, 0), wasCut: true }
}

/**
 * Returns whether documents fit without counting. A token has at least one byte; the rest of the prompt gets some
 * room.
 */
function certainlyFits(documents: readonly ContextDocument[], limitTokens: number): boolean {
  const chars = documents.reduce((sum, { text, hint }) => sum + text.length + hint.length + 60, 0)
  return chars * 3 + 10_000 <= limitTokens
}

function cutAll(documents: readonly ContextDocument[], strategy: CutStrategy, chars: number): CutDocument[] {
  if (strategy === 'head') {
    let left = chars
    return documents.map(document => {
      const keptChars = Math.min(left, document.text.length)
      left -= keptChars
      return cutOne(document, keptChars, strategy)
    })
  }
  const total = documents.reduce((sum, { text }) => sum + text.length, 0)
  const share = total === 0 ? 0 : chars / total
  return documents.map(document => cutOne(document, Math.floor(document.text.length * share), strategy))
}

function cutOne(document: ContextDocument, keptChars: number, strategy: CutStrategy): CutDocument {
  const { hint, text, problem, notices, ocr = false } = document
  const common = { hint, chars: text.length, problem, ...(notices === undefined ? {} : { notices }), ocr }
  if (keptChars >= text.length) return { ...common, text, charsInPrompt: text.length }
  if (strategy === 'head-tail') {
    const head = cutHead(document, Math.ceil(keptChars / 2))
    const tail = cutTail(document, Math.floor(keptChars / 2))
    const charsInPrompt = head.length + tail.length
    return { ...common, text: `${head}\n${gap}\n${tail}`, charsInPrompt, charsFromStart: head.length }
  }
  const head = cutHead(document, keptChars)
  return { ...common, text: `${head}\n${gap}`, charsInPrompt: head.length }
}

/** Returns the beginning of a document. It ends with a whole row, before the line break. */
function cutHead({ text, rowEnd }: ContextDocument, chars: number): string {
  const last = chars - (rowEnd?.length ?? 0) + 1
  const at = rowEnd === undefined || last < 0 ? -1 : text.lastIndexOf(rowEnd, last)
  if (rowEnd !== undefined && at >= 0) return text.slice(0, at + rowEnd.length - 1)
  return text.slice(0, endsInPair(text, chars) ? chars - 1 : chars)
}

/** Returns the end of a document. It begins with a whole row. */
function cutTail({ text, rowEnd }: ContextDocument, chars: number): string {
  const start = text.length - chars
  const at = rowEnd === undefined ? -1 : text.indexOf(rowEnd, start - rowEnd.length)
  if (rowEnd !== undefined && at >= 0) return text.slice(at + rowEnd.length)
  return text.slice(endsInPair(text, start) ? start + 1 : start)
}

/** Returns whether a cut at this place would split a surrogate pair. */
function endsInPair(text: string, place: number): boolean {
  return place > 0 && /[\uD800-\uDBFF]/.test(text.charAt(place - 1))
}
