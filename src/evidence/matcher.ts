import type { GoldItem } from '../core/answer-kind.ts'
import { type ContextDocument, isPartlyUnread } from '../core/document.ts'
import { readCompoundAmount } from '../text/compound-amounts.ts'
import { listCurrencyNames } from '../text/currencies.ts'
import { listDateSpellings } from '../text/date-spellings.ts'
import { dayOrMonthRules, readDate } from '../text/dates.ts'
import { foldText } from '../text/fold.ts'
import { withLawOfEach } from '../text/law-articles.ts'
import { countSignificantDigits, readPrintedNumber } from '../text/printed-number.ts'
import { readQuantity } from '../text/quantities.ts'
import { listPeriodsBefore } from './derived-dates.ts'
import { findDerivation } from './derived-values.ts'
import { isSameDocumentName } from './document-name.ts'
import { listQuarterForms, listQuarterParts } from './fiscal-period.ts'
import type { EvidenceNeedle, TextIndexes } from './text-index.ts'

/** A document or a part of it, with the name by which the task knows it. */
export interface EvidenceDocument {
  readonly hint: string
  /** '' when the harness could not read it. */
  readonly text: string
  /** The harness could not read a part of the document, such as scanned pages without text recognition. Absent: false. */
  readonly isPartlyUnread?: boolean
  /** UTF-16 position in `text` at which each page begins. Absent when the document has one page, and when unknown. */
  readonly pageStarts?: readonly number[]
}

interface SearchableDocument {
  readonly hint: string
  readonly text: string
  readonly problem?: ContextDocument['problem']
  readonly pageStarts?: readonly number[]
}

/** Returns a loaded document as the loss ledger searches it. */
export function makeEvidenceDocument({
  hint,
  text,
  problem = null,
  pageStarts,
}: SearchableDocument): EvidenceDocument {
  return {
    hint,
    text,
    ...(isPartlyUnread(text, problem) ? { isPartlyUnread: true } : {}),
    ...(pageStarts === undefined ? {} : { pageStarts }),
  }
}

/** The evidence of one gold item: any one alternative, with all its needles. */
export interface ItemEvidence extends SearchedValue, RowIdentity {
  /** The id of the gold item. */
  readonly id: string
  /** 0-based turn of a conversation. Absent for the first or only question. */
  readonly turn?: number
}

/** What is searched for: a value, or a key of its row. */
export interface SearchedValue {
  /** The only document that counts, when a key of the row names one; else null. */
  readonly hint: string | null
  /** Empty for an item without a value. */
  readonly alternatives: readonly (readonly EvidenceNeedle[])[]
}

/** What identifies the row of an item. */
export interface RowIdentity {
  readonly hint: string | null
  /**
   * The values that identify the item's row, except the names of documents. A model that lacks one of them cannot
   * answer the row. Absent when there are none.
   */
  readonly keys?: readonly SearchedKey[]
}

/** A value that identifies a row. */
interface SearchedKey extends SearchedValue {
  readonly value: string
}

/** Columns of percentages, ratios and per-share values. Documents print these as they are, never in thousands. */
const unscaledColumn =
  /%|\b(?:percent(?:age)?|ratio|rate|margin|eps)\b|per share|\/\s*share|率|比$|比\s*[(（]|每股|元\/股/i

const listSeparator = /\s*[;；、|\n]\s*|\s+\/\s+/

function makeNumberNeedle(value: number, column: string): EvidenceNeedle {
  return { kind: 'number', value, scaled: !unscaledColumn.test(column) }
}

/** With fewer letters, a text without one of two letters f may be another word. */
const leastCharsWithLigature = 8

/** The form of a text in PDF documents whose ligatures ff, ffi and ffl read as f, fi and fl: `eficient`. */
function listLigatureForms(form: string): string[] {
  return form.includes('ff') && form.length >= leastCharsWithLigature ? [form.replaceAll('ff', 'f')] : []
}

function makeTextNeedle(value: string): EvidenceNeedle | null {
  const date = readDate(value, dayOrMonthRules)
  const forms = [
    foldText(value).text,
    ...listCurrencyNames(value).map(name => foldText(name).text),
    ...(date === null ? listQuarterForms(value) : listDateSpellings(date).map(form => foldText(form).text)),
  ]
  const distinctForms = [
    ...new Set([...forms, ...forms.flatMap(listLigatureForms)].filter(form => form !== '')),
  ]
  return distinctForms.length === 0 ? null : { kind: 'text', forms: distinctForms }
}

/** The items of a list that the gold writes as JSON text; null for any other value. */
function readJsonList(value: string): string[] | null {
  if (!/^\s*\[[\s\S]*\]\s*$/.test(value)) return null
  try {
    const items: unknown = JSON.parse(value)
    return Array.isArray(items)
      ? items.map(item => (typeof item === 'string' ? item : JSON.stringify(item)))
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function makeListNeedles(items: readonly string[]): EvidenceNeedle[] | null {
  const needles = withLawOfEach(items)
    .map(makeTextNeedle)
    .filter(needle => needle !== null)
  return needles.length === 0 ? null : needles
}

/**
 * The alternatives for a text, a date, or a list whose items may be in different places. A text that reads as a
 * number may be printed with separators.
 */
function listTextAlternatives(value: string): EvidenceNeedle[][] {
  const listed = readJsonList(value)
  const whole = listed === null ? makeTextNeedle(value) : null
  const split = listed ?? value.split(listSeparator).filter(item => item !== '')
  const parts = listed !== null || split.length > 1 ? makeListNeedles(split) : null
  const number = makeAmountNeedle(value)
  const quarter = listQuarterParts(value)
  return [
    ...(whole === null ? [] : [[whole]]),
    ...(parts === null ? [] : [parts]),
    ...(number === null ? [] : [[number]]),
    ...listDateAlternatives(value),
    ...(quarter === null ? [] : [quarter.map(forms => ({ kind: 'text', forms }) as const)]),
  ]
}

const leastDigitsWithUnit = 3

/**
 * The number of a text, which a document may print with other separators and, when it is money, in thousands or millions. A
 * short number with a unit is too frequent to be evidence, and an amount in several units is searched as written.
 */
function makeAmountNeedle(value: string): EvidenceNeedle | null {
  const printed = readPrintedNumber(value)
  const quantity = readQuantity(value, true)
  if (printed === null && (quantity === null || readCompoundAmount(value.trim(), '').length > 0)) return null
  const isMoney = quantity !== null && quantity.currency !== null
  const [meaning] = quantity?.meanings ?? []
  const number = printed?.value ?? meaning!.amount
  const isTelling = printed !== null || isMoney || countSignificantDigits(number) >= leastDigitsWithUnit
  return isTelling ? { kind: 'number', value: number, scaled: isMoney || meaning?.scaled === true } : null
}

/** A day that documents state as a period after another day, such as the third anniversary of the Closing Date. */
function listDateAlternatives(value: string): EvidenceNeedle[][] {
  const date = readDate(value, dayOrMonthRules)
  const foldAll = (forms: readonly string[]): string[] => [...new Set(forms.map(form => foldText(form).text))]
  return (date === null ? [] : listPeriodsBefore(date)).map(({ phrases, furtherPhrases, start }) => [
    { kind: 'text', forms: foldAll(phrases) },
    ...(furtherPhrases === undefined ? [] : [{ kind: 'text' as const, forms: foldAll(furtherPhrases) }]),
    { kind: 'text', forms: foldAll(listDateSpellings(start)) },
  ])
}

function makeDerivedAlternative({ column, value, row }: GoldItem): EvidenceNeedle[] | null {
  const derivation = findDerivation(column, value, row)
  if (derivation === null) return null
  if (derivation.kind === 'operands') {
    return derivation.operands.map(operand => makeNumberNeedle(operand.value, operand.column))
  }
  const { current, percent, tolerance } = derivation
  return [{ kind: 'growth', current: current.value, percent, tolerance }]
}

/** Columns of percentages. A document may print 12.5 in such a column as the ratio 0.125. */
const percentColumn = /%|\bpercent|率/i
const leastDigitsOfRatio = 3

function listNumberAlternatives(value: number, item: GoldItem): EvidenceNeedle[][] {
  const derived = makeDerivedAlternative(item)
  const digits = String(Math.abs(value)).replace(/\D/g, '').replace(/^0+/, '').length
  const isPercent = percentColumn.test(item.column) && digits >= leastDigitsOfRatio
  const ratio: EvidenceNeedle = { kind: 'number', value: value / 100, scaled: false }
  return [
    [makeNumberNeedle(value, item.column)],
    ...(isPercent ? [[ratio]] : []),
    ...(derived === null ? [] : [derived]),
  ]
}

/** The evidence of a gold value and of those that are accepted in place of it. */
function findAlternatives({ otherValues = [], ...item }: GoldItem): EvidenceNeedle[][] {
  return [item.value, ...otherValues].flatMap(value => listAlternatives({ ...item, value }))
}

function listAlternatives(item: GoldItem): EvidenceNeedle[][] {
  const { value, isNumeric } = item
  // Documents express true and false in too many ways to search for them.
  if (value === null || typeof value === 'boolean' || String(value).trim() === '') return []
  const number = isNumeric ? readPrintedNumber(value) : null
  return number === null ? listTextAlternatives(String(value)) : listNumberAlternatives(number.value, item)
}

/** The evidence of a value of the answer, as if the gold had it. */
export function findAnswerEvidence(
  value: string,
  column: string,
  row: GoldItem['row'],
): ItemEvidence['alternatives'] {
  return findAlternatives({ id: '', goldRow: 0, column, value, isNumeric: true, row, keys: [] })
}

interface KnownEvidence {
  readonly names: string
  readonly evidence: readonly ItemEvidence[]
}
const evidenceByItems = new WeakMap<readonly GoldItem[], KnownEvidence>()

/**
 * Finds the evidence of each gold item, in order. Made once for a list of items, so that text indexes recognise its
 * needles.
 *
 * @param names the names of the documents, one of which an item's keys can name
 */
export function findItemEvidence(
  items: readonly GoldItem[],
  names: readonly string[],
): readonly ItemEvidence[] {
  const key = JSON.stringify(names)
  const cached = evidenceByItems.get(items)
  if (cached?.names === key) return cached.evidence
  const shared = createSharedNeedles()
  const identityOf = createRowIdentities(names, shared)
  const evidence = items.map(item => ({
    id: item.id,
    alternatives: findAlternatives(item).map(needles => needles.map(shared)),
    ...identityOf(item.keys),
  }))
  evidenceByItems.set(items, { names: key, evidence })
  return evidence
}

/** Returns a function that reads the keys of a row. The items of a row share one list of keys, which is read once. */
function createRowIdentities(
  names: readonly string[],
  shared: (needle: EvidenceNeedle) => EvidenceNeedle,
): (keys: readonly string[]) => RowIdentity {
  const identities = new Map<readonly string[], RowIdentity>()
  const alternativesOf = new Map<string, EvidenceNeedle[][]>()
  const rowKey = (value: string, hint: string | null): SearchedKey => {
    const alternatives =
      alternativesOf.get(value) ?? listTextAlternatives(value).map(needles => needles.map(shared))
    alternativesOf.set(value, alternatives)
    return { value, hint, alternatives }
  }
  return values => {
    const cached = identities.get(values)
    if (cached !== undefined) return cached
    const hint = names.find(name => values.some(value => isSameDocumentName(value, name))) ?? null
    const keys = values
      .filter(value => value.trim() !== '' && (hint === null || !isSameDocumentName(value, hint)))
      .map(value => rowKey(value, hint))
    const identity = keys.length === 0 ? { hint } : { hint, keys }
    identities.set(values, identity)
    return identity
  }
}

/** Returns the same object for equal needles: a gold JSON value often has the same value in hundreds of fields. */
function createSharedNeedles(): (needle: EvidenceNeedle) => EvidenceNeedle {
  const needles = new Map<string, EvidenceNeedle>()
  return needle => {
    const key = JSON.stringify(needle)
    const first = needles.get(key) ?? needle
    needles.set(key, first)
    return first
  }
}

/**
 * Whether the documents contain an item's evidence: all needles of at least one alternative, each in some document
 * that counts.
 */
export function containsEvidence(
  item: ItemEvidence,
  documents: readonly EvidenceDocument[],
  indexes: TextIndexes,
): boolean {
  const allowed = documents.filter(document => item.hint === null || document.hint === item.hint)
  return item.alternatives.some(needles =>
    needles.every(needle => allowed.some(document => indexes(document.text).has(needle))),
  )
}
