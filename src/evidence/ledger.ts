import { isBlankValue } from '../core/blank-value.ts'
import type { CellClass } from '../core/cell-classes.ts'
import type { Item } from '../core/score-items.ts'
import { isCopiedFromElsewhere, isWrittenInDocuments } from './answer-sources.ts'
import { containsPlainly } from './contains-plainly.ts'
import type { DocumentView, ReachedStage } from './document-views.ts'
import { findReach, findReachOfAll, inView, type ReachInput, stages } from './evidence-reach.ts'
import { createEvidenceLookup, type EvidenceLookup } from './gold-evidence.ts'
import type { LedgerAnswer } from './ledger-answer.ts'
import { containsEvidence, type EvidenceDocument, type ItemEvidence, type SearchedValue } from './matcher.ts'
import type { EvidenceNeedle, TextIndexes } from './text-index.ts'
import { findItemsInOtherRows } from './unmatched-rows.ts'

/** The answer of an attempt, and how the attempt ended. */
interface AnswerEnd {
  readonly answer: LedgerAnswer
  /** Why the attempt ended. */
  readonly cause: string
  /** The output limit of the model cut the answer. Absent: false. */
  readonly isOutputCut?: boolean
}

/** What the loss ledger needs of one attempt. */
export interface LedgerInput extends AnswerEnd {
  readonly items: readonly Item[]
  /** The evidence of the same gold; null when it is unknown. */
  readonly evidence: readonly ItemEvidence[] | null
  /** The whole texts of the documents with evidence; null when they are not available. */
  readonly documents: readonly EvidenceDocument[] | null
  /** When `documents` lacks a document, the text of its view is unknown. */
  readonly views: readonly DocumentView[]
  readonly indexes: TextIndexes
  /** Every text that the attempt was shown, from any source; null when unknown. Computed on request. */
  allShown(): readonly string[] | null
  /**
   * The texts that the model could still read when it answered, its own messages included. Null or absent when
   * nothing was removed from its context window. Computed on request.
   */
  atAnswer?(): readonly string[] | null
}

/** The loss class of one item. */
export interface ItemClass {
  readonly class: CellClass | null
  /** The item is right although its evidence was never shown; null when unknown. */
  readonly isUnseen: boolean | null
}

interface AnswerRows {
  readonly answer: LedgerAnswer
  readonly indexes: TextIndexes
  /** The items whose values are in rows of the answer that no gold row matches. Computed on request. */
  inOtherRows(): ReadonlySet<Item>
}

/** The input when evidence and documents are both known. */
interface KnownInput extends LedgerInput, AnswerRows, ReachInput {
  readonly documents: readonly EvidenceDocument[]
  readonly partsOf: EvidenceLookup
  /** Like `partsOf`, but including values that are not searched for, such as true and false. */
  readonly allPartsOf: EvidenceLookup
  /** Every document was shown completely. */
  readonly isAllInView: boolean
  /** The attempt was shown no text at all. Computed on request. */
  isNothingShown(): boolean
  /** The furthest stage that a findable value of each row reached. Computed on request. */
  rowStages(): ReadonlyMap<string, number>
}

/** Whether the answer has no row, or no element of a list, for the item. */
function isUnmatched(item: Item): boolean {
  const isMatchKnown = 'matched' in item && item.matched !== undefined
  return isMatchKnown ? item.matched === null : /^unmatched-/.test(item.rule)
}

/**
 * The class of an item without credit in a readable answer. The tests are in the order of `cellClasses`; the first that
 * applies decides.
 */
function classifyLost(item: Item, context: KnownInput): CellClass {
  const isMissing = isUnmatched(item)
  // Both are blank, but the scorer does not accept the answer's blank.
  if (isBlankValue(item.gold) && !isMissing) return 'wrong'
  const parts = context.partsOf(item)
  const reach = findReachOfAll(parts, context)
  const isCut = isCutOff(item, context)
  if (reach === -1 && isUnread(item, context))
    return findStageBeforeReading(item, context) ?? (isCut ? 'cut-output' : 'unread')
  // When the answer lacks a row and no document contains a value of it, the value is lost where the rest of the row is
  // lost.
  const ofValue = reach === -1 && (isMissing || parts.length === 0) ? findRowStage(item, context) : reach
  const isShown = ofValue === inView
  if ((isShown || isCut) && isAnsweredElsewhere(item, parts, context)) return 'wrong'
  const keys = isMissing ? findKeys(item, context) : []
  const lostAt = stages[Math.min(ofValue, ...keys.map(key => findReach(key, context)))]
  if (lostAt !== undefined && !(isCut && lostAt === 'not-in-view')) return lostAt
  if (isCut) return 'cut-output'
  if (isShown && isRemoved([...parts, ...keys], context)) return 'cut-from-window'
  if (isShown && !isBlankValue(item.predicted)) return 'wrong'
  if (isMissing) return 'missed-row'
  return isShown ? 'not-in-answer' : 'no-evidence'
}

/** Whether the output limit cut the answer before the item: it has no row, or its place is after the cut in the last row. */
function isCutOff(item: Item, { isOutputCut, answer }: AnswerEnd): boolean {
  if (isOutputCut !== true) return false
  if (isUnmatched(item)) return true
  const { predicted, gold } = item
  if (!('goldRow' in item)) return predicted === null
  const isLastRow = item.matched != null && item.matched.row === (answer.rows()?.length ?? 0) - 1
  return isLastRow && (isBlankValue(predicted) || gold.startsWith(predicted!))
}

/** The keys of an item's row that some document contains. */
function findKeys(item: Item, context: KnownInput): readonly SearchedValue[] {
  const [first] = context.allPartsOf(item)
  return (first?.keys ?? []).filter(key => findReach(key, context) !== -1)
}

/** Whether the answer has no value for the item, but contains the gold value in a row that matches no gold row. */
function isAnsweredElsewhere(item: Item, parts: readonly ItemEvidence[], input: AnswerRows): boolean {
  if (item.predicted !== null || parts.length === 0) return false
  if (input.inOtherRows().has(item)) return true
  const text = input.answer.values()
  if (text === null) return false
  return parts.every(part => containsEvidence(part, [{ hint: part.hint ?? '', text }], input.indexes))
}

/** Whether the evidence of an item was removed from the context window before the answer. */
function isRemoved(parts: readonly SearchedValue[], context: KnownInput): boolean {
  const left = parts.length === 0 ? null : (context.atAnswer?.() ?? null)
  return left !== null && !isShownIn(parts, left, context.indexes)
}

/** Whether texts contain all evidence of an item, from whatever document. */
function isShownIn(parts: readonly SearchedValue[], texts: readonly string[], indexes: TextIndexes): boolean {
  const isShown = (needle: EvidenceNeedle): boolean => texts.some(text => indexes(text).has(needle))
  return parts.every(({ alternatives }) => alternatives.some(needles => needles.every(isShown)))
}

/** Whether the harness could not read a document, or a part of it, that can contain the item. */
function isUnread(item: Item, { documents, allPartsOf }: KnownInput): boolean {
  return documents.some(
    ({ hint, text, isPartlyUnread }) =>
      (text === '' || isPartlyUnread === true) &&
      allPartsOf(item).some(part => part.hint === null || part.hint === hint),
  )
}

/**
 * The stage at which an online attempt lost the documents that the harness could not read; null when it called the address
 * of one of them.
 */
function findStageBeforeReading(item: Item, context: KnownInput): ReachedStage | null {
  const unread = context.documents.filter(document => isUnread(item, { ...context, documents: [document] }))
  const views = unread.map(({ hint }) => context.views.find(view => view.hint === hint))
  if (views.every(view => view?.lostAt === 'not-surfaced')) return 'not-surfaced'
  const isUntried = (view: DocumentView | undefined): boolean =>
    view?.lostAt === 'not-surfaced' || (view?.lostAt === 'not-opened' && view.wasTried !== true)
  return views.every(isUntried) ? 'not-opened' : null
}

/** The furthest stage that the row of an item reached: by its findable values, else by its documents. */
function findRowStage(item: Item, context: KnownInput): number {
  const ofRow = context.rowStages().get(nameRow(item))
  if (ofRow !== undefined) return ofRow
  const hints = context.allPartsOf(item).map(({ hint }) => hint)
  const stagesOfViews = context.views
    .filter(({ hint }) => hints.some(only => only === null || only === hint))
    .map(({ shown, lostAt }) => (shown.some(text => text !== '') ? inView : stages.indexOf(lostAt)))
  return Math.max(-1, ...stagesOfViews)
}

const nameRow = (item: Item): string => `${item.turn ?? 0} ${'goldRow' in item ? item.goldRow : item.id}`

function listRowStages(items: readonly Item[], context: KnownInput): ReadonlyMap<string, number> {
  const furthest = new Map<string, number>()
  for (const item of items) {
    const reach = findReachOfAll(context.partsOf(item), context)
    if (reach >= 0) furthest.set(nameRow(item), Math.max(reach, furthest.get(nameRow(item)) ?? -1))
  }
  return furthest
}

/** The class of an item by its credit and by what the answer is; undefined when the evidence decides. */
function classifyByAnswer(item: Item, { answer, cause, isOutputCut }: AnswerEnd) {
  if (item.score === null) return null
  if (item.score >= 1) return 'correct'
  if (item.score > 0) return 'wrong'
  const status = answer.statusOf(item.turn ?? 0)
  if (status === 'none' && cause === 'budget') return 'budget'
  if (status !== 'read') return isOutputCut === true ? 'cut-output' : 'unreadable'
  return undefined
}

/** Whether the answer has a value where the gold has none. */
const isInvented = (item: Item): boolean => isBlankValue(item.gold) && !isBlankValue(item.predicted)

/** The class of a lost item by where its value in the answer is from; undefined when that does not decide. */
function classifyBySource(item: Item, context: KnownInput): CellClass | undefined {
  if (isInvented(item)) return isWrittenInDocuments(item, context) ? 'gold-blank' : 'invented'
  return !isBlankValue(item.predicted) && isCopiedFromElsewhere(item, context) ? 'look-alike' : undefined
}

function classifyItem(item: Item, input: LedgerInput, context: KnownInput | null): CellClass | null {
  const byAnswer = classifyByAnswer(item, input)
  if (byAnswer !== undefined) return byAnswer
  if (context !== null) return classifyBySource(item, context) ?? classifyLost(item, context)
  return isInvented(item) ? 'invented' : null
}

/**
 * Whether the shown texts of an item's documents contain its value in its usual written form. Only for evidence with
 * a single needle.
 */
function isPlainlyShown(gold: string, { hint, alternatives }: ItemEvidence, { views }: KnownInput): boolean {
  const shown = views.flatMap(view => (hint === null || view.hint === hint ? view.shown : []))
  return alternatives.some(([needle, another]) => {
    if (needle === undefined || another !== undefined) return false
    return shown.some(text => containsPlainly(text, needle, gold))
  })
}

/** Whether an item is right although its evidence was never shown, by its documents or by anything else. */
function isUnseen(item: Item, input: LedgerInput, context: KnownInput | null): boolean | null {
  if (item.score === null || item.score < 1) return false
  if (context === null) return null
  if (context.isAllInView) return false
  if (context.isNothingShown()) return !isBlankValue(item.gold)
  const parts = context.partsOf(item)
  if (parts.length === 1 && isPlainlyShown(item.gold, parts[0]!, context)) return false
  const reach = findReachOfAll(parts, context)
  if (reach === -1 || reach === inView) return false
  const texts = input.allShown()
  if (texts === null) return null
  return !isShownIn(parts, texts, input.indexes)
}

/**
 * Classifies every item, in order. The first class in the order of `cellClasses` that fits applies. An item with partial
 * credit is `wrong` for the rest.
 *
 * @returns class null when a judge failed on the item, or when the evidence or documents that decide are unknown
 */
export function classifyItems(input: LedgerInput): ItemClass[] {
  const context = makeKnownInput(input)
  return input.items.map(item => ({
    class: classifyItem(item, input, context),
    isUnseen: isUnseen(item, input, context),
  }))
}

function makeKnownInput(input: LedgerInput): KnownInput | null {
  const { evidence, documents, views } = input
  if (evidence === null || documents === null) return null
  const unknownTexts = views.filter(({ hint }) => !documents.some(document => document.hint === hint))
  const isInView = ({ hint, text }: EvidenceDocument): boolean =>
    text === '' || views.some(view => view.hint === hint && view.shown[0] === text)
  let rowStages: ReadonlyMap<string, number> | null = null
  let inOtherRows: ReadonlySet<Item> | null = null
  const { items, answer, indexes } = input
  const context: KnownInput = {
    ...input,
    documents,
    unknownTexts,
    partsOf: createSearchableLookup(evidence),
    allPartsOf: createEvidenceLookup(evidence),
    isAllInView: unknownTexts.length === 0 && documents.every(isInView),
    isNothingShown: () =>
      views.every(({ shown }) => shown.every(text => text === '')) && input.allShown()?.length === 0,
    knownStages: new Map(),
    inOtherRows: () => (inOtherRows ??= findItemsInOtherRows(items, answer, context.partsOf, indexes)),
    rowStages: () => (rowStages ??= listRowStages(input.items, context)),
  }
  return context
}

/**
 * Classifies the items of a setting that shows no documents. No stage before the answer can lose a value, and no
 * right item was seen.
 */
export function classifyWithoutDocuments(
  input: Omit<LedgerInput, 'views' | 'allShown' | 'atAnswer'>,
): ItemClass[] {
  const { evidence } = input
  const partsOf = evidence === null ? () => [] : createSearchableLookup(evidence)
  let inOtherRows: ReadonlySet<Item> | null = null
  const context = {
    ...input,
    allPartsOf: createEvidenceLookup(evidence ?? []),
    inOtherRows: () =>
      (inOtherRows ??= findItemsInOtherRows(input.items, input.answer, partsOf, input.indexes)),
  }
  const classInAnswer = (item: Item): CellClass => {
    if (isInvented(item)) return isWrittenInDocuments(item, context) ? 'gold-blank' : 'invented'
    if (isCutOff(item, context)) return 'cut-output'
    if (!isBlankValue(item.predicted) || isAnsweredElsewhere(item, partsOf(item), context)) return 'wrong'
    return isUnmatched(item) ? 'missed-row' : 'not-in-answer'
  }
  return input.items.map(item => {
    const byAnswer = classifyByAnswer(item, input)
    return {
      class: byAnswer === undefined ? classInAnswer(item) : byAnswer,
      isUnseen: item.score !== null && item.score >= 1 && !isBlankValue(item.gold),
    }
  })
}

/** Looks up the evidence of an item, leaving out values without any needle, such as true and false. */
function createSearchableLookup(evidence: readonly ItemEvidence[]): EvidenceLookup {
  const lookUp = createEvidenceLookup(evidence)
  return item => lookUp(item).filter(({ alternatives }) => alternatives.length > 0)
}
