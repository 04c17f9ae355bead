import type { Context } from '../core/attempt.ts'
import type { Discovery } from '../core/discovery.ts'
import type { ScoreItems } from '../core/score-items.ts'
import type { ScoredCell, ScoredItem } from '../core/scored-item.ts'
import type { ShownDocumentPart } from './discovery.ts'
import { type DocumentView, listOfflineViews, listOnlineViews, listRagViews } from './document-views.ts'
import { classifyItems, classifyWithoutDocuments, type ItemClass, type LedgerInput } from './ledger.ts'
import type { EvidenceDocument } from './matcher.ts'

/** What an attempt was shown of its task's documents, by the kind of its setting. */
export type AttemptView =
  /** Closed-book: no document was shown. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'documents'; readonly context: Context | null }
  /** The texts that were shown, whatever showed them. */
  | { readonly kind: 'texts'; readonly shown: readonly ShownDocumentPart[] }
  | { readonly kind: 'chunks'; readonly chunks: readonly EvidenceDocument[] }
  | {
      readonly kind: 'web'
      readonly discovery: Discovery
      /** What tools showed of the documents, as `listShownDocuments` returns it. */
      readonly shown: readonly ShownDocumentPart[]
      /** Every text that tools showed. Called only when needed. */
      allShown(): readonly string[]
      /**
       * The texts that the model could still read when it answered, its own messages included. Null or absent when
       * nothing was removed from its context window. Called only when needed.
       */
      atAnswer?(): readonly string[] | null
    }

/**
 * The documents as the prompt showed them after a cut: the beginning, or for `head-tail` both ends, with as many
 * characters as the record says. A document that the record does not name was not shown.
 */
export function cutDocuments(
  documents: readonly EvidenceDocument[],
  context: Context | null,
): EvidenceDocument[] {
  return documents.map(({ hint, text }) => {
    const recorded = context?.documents.find(document => document.hint === hint)
    const keptChars = recorded?.charsInPrompt ?? 0
    if (keptChars >= text.length) return { hint, text }
    if (context?.cutStrategy !== 'head-tail') return { hint, text: text.slice(0, keptChars) }
    const tail = keptChars - (recorded?.charsFromStart ?? Math.ceil(keptChars / 2))
    return { hint, text: `${text.slice(0, keptChars - tail)}\n${text.slice(text.length - tail)}` }
  })
}

type ViewOfDocuments = Exclude<AttemptView, { kind: 'nothing' }>

/** The documents as the loss ledger compares them with the evidence. */
function listViews(sight: ViewOfDocuments, documents: readonly EvidenceDocument[]): DocumentView[] {
  switch (sight.kind) {
    case 'documents':
      return listOfflineViews(cutDocuments(documents, sight.context))
    case 'texts':
      return documents.map(({ hint }) => ({
        hint,
        lostAt: 'not-in-view',
        shown: sight.shown.filter(part => part.hint === hint).map(part => part.text),
      }))
    case 'chunks':
      return listRagViews(
        documents.map(document => document.hint),
        sight.chunks,
      )
    case 'web':
      return listOnlineViews(sight.discovery, sight.shown)
    default:
      return sight satisfies never
  }
}

/** Every text that the attempt was shown; null when unknown. */
function listShownTexts(sight: ViewOfDocuments, views: readonly DocumentView[]): readonly string[] | null {
  // The texts of the earlier conversation that this attempt continues are not recorded.
  if (sight.kind === 'texts') return null
  return sight.kind === 'web' ? sight.allShown() : views.flatMap(({ shown }) => shown)
}

/** Inputs of the ledger, besides the items and the texts that the attempt was shown. */
type ViewlessInput = Omit<LedgerInput, 'items' | 'views' | 'allShown' | 'atAnswer'>

/** A score's items with their loss classes. */
interface ItemsWithClasses extends ScoreItems {
  readonly unseenItems?: number
}

/**
 * Sets the loss class of every item of a score, and counts the right items whose evidence was never shown.
 *
 * @param sight null when what the attempt was shown is unknown; the count is then left out
 */
export function withLossClasses(
  { cells, items }: ScoreItems,
  sight: AttemptView | null,
  input: ViewlessInput,
): ItemsWithClasses {
  const classesOf = createClassifier(sight, input)
  const [ofCells, ofItems] = [classesOf(cells), classesOf(items)]
  const unseen = [...ofCells, ...ofItems].map(({ isUnseen }) => isUnseen)
  return {
    cells: withClass(cells, ofCells),
    items: withClass(items, ofItems),
    ...(unseen.includes(null) ? {} : { unseenItems: unseen.filter(value => value === true).length }),
  }
}

function createClassifier(
  sight: AttemptView | null,
  input: ViewlessInput,
): (items: LedgerInput['items']) => ItemClass[] {
  if (sight?.kind === 'nothing') return items => classifyWithoutDocuments({ ...input, items })
  const { documents } = input
  if (sight === null || documents === null)
    return items => classifyItems({ ...input, items, documents: null, views: [], allShown: () => null })
  const views = listViews(sight, documents)
  const allShown = () => listShownTexts(sight, views)
  const atAnswer = () => (sight.kind === 'web' ? (sight.atAnswer?.() ?? null) : null)
  return items => classifyItems({ ...input, items, views, allShown, atAnswer })
}

function withClass<T extends ScoredCell | ScoredItem>(
  items: readonly T[],
  classes: readonly ItemClass[],
): T[] {
  return items.map((item, at) => {
    const { unseen: _, ...rest } = item
    const lossClass = classes[at]!
    return { ...rest, class: lossClass.class, ...(lossClass.isUnseen === true ? { unseen: true } : {}) } as T
  })
}
