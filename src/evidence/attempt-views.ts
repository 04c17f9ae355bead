import type { Context, Discovery } from '../core/attempt.ts'
import type { ScoredCell } from '../core/score.ts'
import {
  classifyCells,
  type DocumentView,
  type LedgerInput,
  offlineViews,
  onlineViews,
  ragViews,
} from './ledger.ts'
import type { EvidenceDocument } from './matcher.ts'

/** What an attempt saw of its task's documents, by the kind of its setting. */
export type AttemptSight =
  /** Closed-book: no document was shown. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'documents'; readonly context: Context | null }
  /** Texts that were shown, of whatever way they came. */
  | { readonly kind: 'texts'; readonly shown: readonly EvidenceDocument[] }
  | { readonly kind: 'chunks'; readonly chunks: readonly EvidenceDocument[] }
  | {
      readonly kind: 'web'
      readonly discovery: Discovery
      /** What tools showed of the documents: `shownDocuments`. */
      readonly shown: readonly EvidenceDocument[]
    }

/**
 * What a cut left of a document: its head, or for `head-tail` both ends, in the characters that the record counts.
 * A document that the record does not name was not shown.
 */
export function shownAfterCut(
  documents: readonly EvidenceDocument[],
  context: Context | null,
): EvidenceDocument[] {
  return documents.map(({ hint, text }) => {
    const kept = context?.documents.find(document => document.hint === hint)?.charsInPrompt ?? 0
    if (kept >= text.length) return { hint, text }
    if (context?.cutStrategy !== 'head-tail') return { hint, text: text.slice(0, kept) }
    const tail = Math.floor(kept / 2)
    return { hint, text: `${text.slice(0, kept - tail)}\n${text.slice(text.length - tail)}` }
  })
}

/** The views that the loss ledger decides by. */
function viewsOf(sight: AttemptSight, documents: readonly EvidenceDocument[]): DocumentView[] {
  switch (sight.kind) {
    case 'nothing':
      return []
    case 'documents':
      return offlineViews(shownAfterCut(documents, sight.context))
    case 'texts':
      return documents.map(({ hint }) => ({
        hint,
        lostAt: 'not-in-view',
        shown: sight.shown.filter(one => one.hint === hint).map(one => one.text),
      }))
    case 'chunks':
      return ragViews(
        documents.map(document => document.hint),
        sight.chunks,
      )
    case 'web':
      return onlineViews(sight.discovery, sight.shown)
    default:
      return sight satisfies never
  }
}

/** The cells with their classes: CONTRACT, Loss ledger. `sight` null: what the attempt saw is not known. */
export function classedCells(sight: AttemptSight | null, input: Omit<LedgerInput, 'views'>): ScoredCell[] {
  const documents = sight?.kind === 'nothing' ? [] : input.documents
  const classes = classifyCells(
    sight === null || documents === null
      ? { ...input, documents: null, views: [] }
      : {
          ...input,
          documents,
          views: viewsOf(sight, documents),
          isFromMemory: sight.kind === 'nothing',
        },
  )
  return input.cells.map((cell, at) => ({ ...cell, class: classes[at] ?? null }))
}
