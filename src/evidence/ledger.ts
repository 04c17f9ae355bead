import type { Discovery } from '../core/attempt.ts'
import type { CellClass, Item } from '../core/score.ts'
import { type EvidenceLookup, evidenceLookup } from './gold-evidence.ts'
import type { LedgerAnswer } from './ledger-answer.ts'
import { type EvidenceDocument, findItem, type ItemEvidence } from './matcher.ts'
import { standsPlainly } from './stands-plainly.ts'
import type { Needle, TextIndexes } from './text-index.ts'

/** How far a document came before its text was in view. */
export type Reach = 'not-surfaced' | 'not-opened' | 'not-parsed' | 'not-in-view' | 'not-retrieved'

/** What the model saw of one of the task's documents. */
export interface DocumentView {
  readonly hint: string
  /** Where a value is lost that the shown texts do not hold. */
  readonly lostAt: Reach
  /** The texts of the document that were shown: whole, cut, as chunks or by pages. */
  readonly shown: readonly string[]
}

export interface LedgerInput {
  readonly items: readonly Item[]
  /** Of the same gold; null: what is evidence of the task is not known. */
  readonly evidence: readonly ItemEvidence[] | null
  /** Documents with evidence, as whole texts, unreadable ones as ''; null: they are not at hand. */
  readonly documents: readonly EvidenceDocument[] | null
  /** A view whose document is not among `documents` is of one whose text nobody knows. */
  readonly views: readonly DocumentView[]
  readonly answer: LedgerAnswer
  /** Why the attempt ended. */
  readonly cause: string
  readonly indexes: TextIndexes
  /** Every text that the attempt was shown, of whatever source; null: not known. Called only when needed. */
  allShown(): readonly string[] | null
}

/** What the ledger says of one item. */
export interface ItemClass {
  readonly class: CellClass | null
  /** The item is right, and its evidence was never shown; null where that is not known. */
  readonly isUnseen: boolean | null
}

/** With evidence and documents at hand. */
interface KnownInput extends LedgerInput {
  readonly documents: readonly EvidenceDocument[]
  /** Views of documents whose text nobody knows. */
  readonly unknownTexts: readonly DocumentView[]
  readonly partsOf: EvidenceLookup
  /** Every document was shown from its first character to its last. */
  readonly isAllInView: boolean
  /** What `stageOf` returned, by needle and by the only document that counts. */
  readonly knownStages: Map<Needle, Map<string | null, number>>
}

const stages: readonly Reach[] = ['not-surfaced', 'not-opened', 'not-parsed', 'not-retrieved', 'not-in-view']
const inView = stages.length

/** Offline: the model saw of each document what the cut left. */
export function offlineViews(shown: readonly EvidenceDocument[]): DocumentView[] {
  return shown.map(({ hint, text }) => ({ hint, lostAt: 'not-in-view', shown: [text] }))
}

/** RAG: the model saw of each document the chunks in its prompt; neighbours stand together as they did there. */
export function ragViews(hints: readonly string[], chunks: readonly EvidenceDocument[]): DocumentView[] {
  return hints.map(hint => ({
    hint,
    lostAt: 'not-retrieved',
    shown: chunks.filter(chunk => chunk.hint === hint).map(chunk => chunk.text),
  }))
}

/** Online: how far discovery came with each document, and the tool answers that showed it. */
export function onlineViews(discovery: Discovery, shown: readonly EvidenceDocument[]): DocumentView[] {
  return discovery.hints.map(record => {
    const { hint, surfacedStep, openedStep, parsedStep, triedStep = null } = record
    const texts = shown.filter(one => one.hint === hint).map(one => one.text)
    if (parsedStep !== null) return { hint, lostAt: 'not-in-view', shown: texts }
    if (openedStep !== null) return { hint, lostAt: 'not-parsed', shown: texts }
    const wasFound = surfacedStep !== null || triedStep !== null
    return { hint, lostAt: wasFound ? 'not-opened' : 'not-surfaced', shown: [] }
  })
}

/** How far a part of the evidence came in the document that brought it furthest; -1 where no document contains it. */
function stageOf(needle: Needle, hint: string | null, input: KnownInput): number {
  const byHint = input.knownStages.get(needle) ?? new Map<string | null, number>()
  input.knownStages.set(needle, byHint)
  const stage = byHint.get(hint) ?? furthestStage(needle, hint, input)
  byHint.set(hint, stage)
  return stage
}

function furthestStage(needle: Needle, hint: string | null, input: KnownInput): number {
  const { documents, views, indexes } = input
  let furthest = -1
  for (const document of documents) {
    if (hint !== null && document.hint !== hint) continue
    if (!indexes(document.text).has(needle)) continue
    const view = views.find(one => one.hint === document.hint)
    const seen = view?.shown.some(text => indexes(text).has(needle)) === true
    const stage = seen ? inView : stages.indexOf(view?.lostAt ?? 'not-surfaced')
    furthest = Math.max(furthest, stage)
  }
  return furthest
}

/**
 * The stage to which an item's evidence came: the way that came furthest counts. -1 where no document holds it. Where
 * the text of some documents is not known, it may be in the one that came furthest.
 */
function reachOf(evidence: ItemEvidence, input: KnownInput): number {
  const ways = evidence.alternatives
    .map(needles => Math.min(...needles.map(needle => stageOf(needle, evidence.hint, input))))
    .filter(stage => stage >= 0)
  if (ways.length > 0) return Math.max(...ways)
  return Math.max(
    -1,
    ...input.unknownTexts
      .filter(({ hint }) => evidence.hint === null || hint === evidence.hint)
      .map(({ lostAt }) => stages.indexOf(lostAt)),
  )
}

/**
 * The stage to which all of an item's evidence came: for a field with several values below it, that of the value that
 * was lost first. -1: there is no evidence.
 */
function reachOfAll(parts: readonly ItemEvidence[], input: KnownInput): number {
  return parts.length === 0 ? -1 : Math.min(...parts.map(part => reachOf(part, input)))
}

/** Whether a text of an answer or of the gold says nothing. */
function isBlank(text: string | null): boolean {
  return text === null || /^(?:null|none|n\/?a|nan|-|\[\]|\{\})?$/i.test(text.trim())
}

/** Seen and yet not right: wrong where the answer gives something, not-in-answer where it gives nothing. */
function lostInAnswer(
  item: Item,
  parts: readonly ItemEvidence[],
  input: Pick<LedgerInput, 'answer' | 'indexes'>,
): CellClass {
  if (!isBlank(item.predicted)) return 'wrong'
  const text = item.predicted === null ? input.answer.values() : null
  if (text === null || parts.length === 0) return 'not-in-answer'
  const isGiven = parts.every(part => findItem(part, [{ hint: part.hint ?? '', text }], input.indexes))
  return isGiven ? 'wrong' : 'not-in-answer'
}

function classOf(
  item: Item,
  input: Pick<LedgerInput, 'answer' | 'cause'>,
  known: KnownInput | null,
): CellClass | null {
  const { answer, cause } = input
  if (item.score === null) return null
  if (item.score >= 1) return 'correct'
  if (item.score > 0) return 'wrong'
  const status = answer.statusOf(item.turn ?? 0)
  if (status === 'none' && cause === 'budget') return 'budget'
  if (status !== 'read') return 'unreadable'
  if (known === null) return null
  const parts = known.partsOf(item)
  const reach = reachOfAll(parts, known)
  return reach === -1 ? 'no-evidence' : (stages[reach] ?? lostInAnswer(item, parts, known))
}

/** Whether a value that one needle finds stands, as it is usually written, in what was shown of its documents. */
function isPlainlyShown(gold: string, { hint, alternatives }: ItemEvidence, { views }: KnownInput): boolean {
  const shown = views.flatMap(view => (hint === null || view.hint === hint ? view.shown : []))
  return alternatives.some(([needle, another]) => {
    if (needle === undefined || another !== undefined) return false
    return shown.some(text => standsPlainly(text, needle, gold))
  })
}

/** Whether a right item has evidence that was never in view, neither from its documents nor from anything else. */
function isUnseen(item: Item, input: LedgerInput, known: KnownInput | null): boolean | null {
  if (item.score === null || item.score < 1) return false
  if (known === null) return null
  if (known.isAllInView) return false
  const parts = known.partsOf(item)
  if (parts.length === 1 && isPlainlyShown(item.gold, parts[0]!, known)) return false
  const reach = reachOfAll(parts, known)
  if (reach === -1 || reach === inView) return false
  const texts = input.allShown()
  if (texts === null) return null
  const isShown = (needle: Needle): boolean => texts.some(text => input.indexes(text).has(needle))
  return !parts.every(({ alternatives }) => alternatives.some(needles => needles.every(isShown)))
}

/**
 * The class of every item, in their order: CONTRACT, Loss ledger. An item with partial credit is `wrong` for what it
 * lacks. Null where a judge failed on the item, and where it takes evidence or documents to tell that are not known.
 */
export function classifyItems(input: LedgerInput): ItemClass[] {
  const known = knownInput(input)
  return input.items.map(item => ({
    class: classOf(item, input, known),
    isUnseen: isUnseen(item, input, known),
  }))
}

function knownInput(input: LedgerInput): KnownInput | null {
  const { evidence, documents, views } = input
  if (evidence === null || documents === null) return null
  const unknownTexts = views.filter(({ hint }) => !documents.some(document => document.hint === hint))
  const isInView = ({ hint, text }: EvidenceDocument): boolean =>
    text === '' || views.some(view => view.hint === hint && view.shown[0] === text)
  return {
    ...input,
    documents,
    unknownTexts,
    partsOf: soughtIn(evidence),
    isAllInView: unknownTexts.length === 0 && documents.every(isInView),
    knownStages: new Map(),
  }
}

/**
 * The classes of a setting that shows nothing: no stage before the answer can lose a value, with or without evidence for
 * it, and nothing that is right was seen.
 */
export function classifyUnshown(input: Omit<LedgerInput, 'documents' | 'views' | 'allShown'>): ItemClass[] {
  const { evidence, answer } = input
  const partsOf = evidence === null ? () => [] : soughtIn(evidence)
  return input.items.map(item => {
    const isLost = item.score === 0 && answer.statusOf(item.turn ?? 0) === 'read'
    return {
      class: isLost ? lostInAnswer(item, partsOf(item), input) : classOf(item, input, null),
      isUnseen: item.score !== null && item.score >= 1 && !isBlank(item.gold),
    }
  })
}

/** The evidence of an item, without that of values that nothing is evidence of, such as true and false. */
function soughtIn(evidence: readonly ItemEvidence[]): EvidenceLookup {
  const lookUp = evidenceLookup(evidence)
  return item => lookUp(item).filter(({ alternatives }) => alternatives.length > 0)
}
