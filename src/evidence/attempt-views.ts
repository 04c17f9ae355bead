import type { Context, Discovery } from '../core/attempt.ts'
import type { Score, ScoredCell, ScoredItem } from '../core/score.ts'
import {
  classifyItems,
  classifyUnshown,
  type DocumentView,
  type ItemClass,
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
      /** Every text that tools showed. Called only when needed. */
      allShown(): readonly string[]
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

type ViewingSight = Exclude<AttemptSight, { kind: 'nothing' }>

/** The views that the loss ledger decides by. */
function viewsOf(sight: ViewingSight, documents: readonly EvidenceDocument[]): DocumentView[] {
  switch (sight.kind) {
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

/** Every text that the attempt was shown; null where it is not known. */
function shownTexts(sight: ViewingSight, views: readonly DocumentView[]): readonly string[] | null {
  // What an attempt was shown besides, whose conversation this one continues, is not kept.
  if (sight.kind === 'texts') return null
  return sight.kind === 'web' ? sight.allShown() : views.flatMap(({ shown }) => shown)
}

/** A score's items with their classes: CONTRACT, Loss ledger. */
export type ClassedItems = Pick<Score, 'cells' | 'items'> & Partial<Pick<Score, 'unseenItems'>>

/**
 * Gives every item of a score its class, and tells how many of them are right though unseen, where that is known.
 *
 * @param sight null: what the attempt saw is not known
 */
export function classedItems(
  { cells, items }: Pick<Score, 'cells' | 'items'>,
  sight: AttemptSight | null,
  input: Omit<LedgerInput, 'items' | 'views' | 'allShown'>,
): ClassedItems {
  const classesOf = classifier(sight, input)
  const [ofCells, ofItems] = [classesOf(cells), classesOf(items)]
  const unseen = [...ofCells, ...ofItems].map(({ isUnseen }) => isUnseen)
  return {
    cells: withClass(cells, ofCells),
    items: withClass(items, ofItems),
    ...(unseen.includes(null) ? {} : { unseenItems: unseen.filter(one => one === true).length }),
  }
}

function classifier(
  sight: AttemptSight | null,
  input: Omit<LedgerInput, 'items' | 'views' | 'allShown'>,
): (items: LedgerInput['items']) => ItemClass[] {
  if (sight?.kind === 'nothing') return items => classifyUnshown({ ...input, items })
  const { documents } = input
  if (sight === null || documents === null)
    return items => classifyItems({ ...input, items, documents: null, views: [], allShown: () => null })
  const views = viewsOf(sight, documents)
  return items => classifyItems({ ...input, items, views, allShown: () => shownTexts(sight, views) })
}

function withClass<T extends ScoredCell | ScoredItem>(
  items: readonly T[],
  classes: readonly ItemClass[],
): T[] {
  return items.map((item, at) => {
    const { unseen: _, ...rest } = item
    const found = classes[at]!
    return { ...rest, class: found.class, ...(found.isUnseen === true ? { unseen: true } : {}) } as T
  })
}
