import type { GoldItem } from '../core/answer-kind.ts'
import { type ContextDocument, isPartlyUnread } from '../core/document.ts'
import { readCompoundAmount } from '../text/compound-amounts.ts'
import { currencyNames } from '../text/currencies.ts'
import { dateSpellings } from '../text/date-spellings.ts'
import { dayOrMonthRules, readDate } from '../text/dates.ts'
import { withLawOfEach } from '../text/law-articles.ts'
import { readPrintedNumber } from '../text/printed-number.ts'
import { readQuantity } from '../text/quantities.ts'
import { periodsBefore } from './derived-dates.ts'
import { derivationOf } from './derived-values.ts'
import { sameDocumentName } from './document-name.ts'
import { quarterParts, quarterWrittenForms } from './fiscal-period.ts'
import { foldText } from './fold.ts'
import type { Needle, TextIndexes } from './text-index.ts'

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

/** Returns a loaded document as the loss ledger searches it. */
export function evidenceDocument({
  hint,
  text,
  problem = null,
  pageStarts,
}: Pick<ContextDocument, 'hint' | 'text'> &
  Partial<Pick<ContextDocument, 'problem' | 'pageStarts'>>): EvidenceDocument {
  return {
    hint,
    text,
    ...(isPartlyUnread({ text, problem }) ? { isPartlyUnread: true } : {}),
    ...(pageStarts === undefined ? {} : { pageStarts }),
  }
}

/** The evidence of one gold item: any one alternative, with all its needles. */
export interface ItemEvidence {
  /** The id of the gold item. */
  readonly id: string
  /** 0-based turn of a conversation. Absent for the first or only question. */
  readonly turn?: number
  /** The only document that counts, when a key of the row names one; else null. */
  readonly hint: string | null
  /** Empty for an item without a value. */
  readonly alternatives: readonly (readonly Needle[])[]
  /**
   * The values that identify the item's row, except the names of documents. A model that lacks one of them cannot
   * answer the row. Absent when there are none.
   */
  readonly keys?: readonly RowKey[]
}

/** A value that identifies a row. */
export interface RowKey extends Pick<ItemEvidence, 'hint' | 'alternatives'> {
  readonly value: string
}

/** Columns of percentages, ratios and per-share values. Documents print these as they are, never in thousands. */
const unscaledColumn =
  /%|\b(?:percent(?:age)?|ratio|rate|margin|eps)\b|per share|\/\s*share|率|比$|比\s*[(（]|每股|元\/股/i

const listSeparator = /\s*[;；、|\n]\s*|\s+\/\s+/

function numberNeedle(value: number, column: string): Needle {
  return { kind: 'number', value, scaled: !unscaledColumn.test(column) }
}

function textNeedle(value: string): Needle | null {
  const date = readDate(value, dayOrMonthRules)
  const forms = [
    foldText(value).text,
    ...currencyNames(value).map(name => foldText(name).text),
    ...(date === null ? quarterWrittenForms(value) : dateSpellings(date).map(form => foldText(form).text)),
  ]
  const kept = [...new Set(forms.filter(form => form !== ''))]
  return kept.length === 0 ? null : { kind: 'text', forms: kept }
}

/** The items of a list that the gold writes as JSON text; null for any other value. */
function jsonItems(value: string): string[] | null {
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

function listNeedles(items: readonly string[]): Needle[] | null {
  const needles = withLawOfEach(items)
    .map(textNeedle)
    .filter(needle => needle !== null)
  return needles.length === 0 ? null : needles
}

/**
 * The alternatives for a text, a date, or a list whose items may be in different places. A text that reads as a
 * number may be printed with separators.
 */
function textAlternatives(value: string): Needle[][] {
  const listed = jsonItems(value)
  const whole = listed === null ? textNeedle(value) : null
  const split = listed ?? value.split(listSeparator).filter(item => item !== '')
  const parts = listed !== null || split.length > 1 ? listNeedles(split) : null
  const number = amountNeedle(value)
  const quarter = quarterParts(value)
  return [
    ...(whole === null ? [] : [[whole]]),
    ...(parts === null ? [] : [parts]),
    ...(number === null ? [] : [[number]]),
    ...derivedDateAlternatives(value),
    ...(quarter === null ? [] : [quarter.map(forms => ({ kind: 'text', forms }) as const)]),
  ]
}

const leastDigitsWithUnit = 3

/**
 * The number of a text, which a document may print with other separators and, when it is money, in thousands or millions. A
 * short number with a unit is too frequent to be evidence, and an amount in several units is searched as written.
 */
function amountNeedle(value: string): Needle | null {
  const printed = readPrintedNumber(value)
  const quantity = readQuantity(value, true)
  if (printed === null && (quantity === null || readCompoundAmount(value.trim(), '').length > 0)) return null
  const isMoney = quantity !== null && quantity.currency !== null
  const [meaning] = quantity?.meanings ?? []
  const number = printed?.value ?? meaning!.amount
  const digits = String(Math.abs(number))
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length
  const isTelling = printed !== null || isMoney || digits >= leastDigitsWithUnit
  return isTelling ? { kind: 'number', value: number, scaled: isMoney || meaning?.scaled === true } : null
}

/** A day that documents state as a period after another day, such as the third anniversary of the Closing Date. */
function derivedDateAlternatives(value: string): Needle[][] {
  const date = readDate(value, dayOrMonthRules)
  const foldAll = (forms: readonly string[]): string[] => [...new Set(forms.map(form => foldText(form).text))]
  return (date === null ? [] : periodsBefore(date)).map(({ phrases, start }) => [
    { kind: 'text', forms: foldAll(phrases) },
    { kind: 'text', forms: foldAll(dateSpellings(start)) },
  ])
}

function derivedAlternative({ column, value, row }: GoldItem): Needle[] | null {
  const derivation = derivationOf(column, value, row)
  if (derivation === null) return null
  if (derivation.kind === 'operands') {
    return derivation.operands.map(operand => numberNeedle(operand.value, operand.column))
  }
  const { current, percent, tolerance } = derivation
  return [{ kind: 'growth', current: current.value, percent, tolerance }]
}

/** Columns of percentages. A document may print 12.5 in such a column as the ratio 0.125. */
const percentColumn = /%|\bpercent|率/i
const leastDigitsOfRatio = 3

function numberAlternatives(value: number, item: GoldItem): Needle[][] {
  const derived = derivedAlternative(item)
  const digits = String(Math.abs(value)).replace(/\D/g, '').replace(/^0+/, '').length
  const isPercent = percentColumn.test(item.column) && digits >= leastDigitsOfRatio
  const ratio: Needle = { kind: 'number', value: value / 100, scaled: false }
  return [
    [numberNeedle(value, item.column)],
    ...(isPercent ? [[ratio]] : []),
    ...(derived === null ? [] : [derived]),
  ]
}

/** The evidence of a gold value. */
function evidenceOf(item: GoldItem): Needle[][] {
  const { value, isNumeric } = item
  // Documents express true and false in too many ways to search for them.
  if (value === null || typeof value === 'boolean' || String(value).trim() === '') return []
  const number = isNumeric ? readPrintedNumber(value) : null
  return number === null ? textAlternatives(String(value)) : numberAlternatives(number.value, item)
}

interface KnownEvidence {
  readonly names: string
  readonly evidence: readonly ItemEvidence[]
}
const known = new WeakMap<readonly GoldItem[], KnownEvidence>()

/**
 * Finds the evidence of each gold item, in order. Made once for a list of items, so that text indexes recognise its
 * needles.
 *
 * @param names the names of the documents, one of which an item's keys can name
 */
export function evidenceOfItems(
  items: readonly GoldItem[],
  names: readonly string[],
): readonly ItemEvidence[] {
  const key = JSON.stringify(names)
  const made = known.get(items)
  if (made?.names === key) return made.evidence
  const shared = sharedNeedles()
  const identityOf = rowIdentities(names, shared)
  const evidence = items.map(item => ({
    id: item.id,
    alternatives: evidenceOf(item).map(needles => needles.map(shared)),
    ...identityOf(item.keys),
  }))
  known.set(items, { names: key, evidence })
  return evidence
}

/** What identifies the row of an item. */
type RowIdentity = Pick<ItemEvidence, 'hint' | 'keys'>

/** Returns a function that reads the keys of a row. The items of a row share one list of keys, which is read once. */
function rowIdentities(
  names: readonly string[],
  shared: (needle: Needle) => Needle,
): (keys: readonly string[]) => RowIdentity {
  const read = new Map<readonly string[], RowIdentity>()
  const alternativesOf = new Map<string, Needle[][]>()
  const rowKey = (value: string, hint: string | null): RowKey => {
    const alternatives =
      alternativesOf.get(value) ?? textAlternatives(value).map(needles => needles.map(shared))
    alternativesOf.set(value, alternatives)
    return { value, hint, alternatives }
  }
  return values => {
    const made = read.get(values)
    if (made !== undefined) return made
    const hint = names.find(name => values.some(one => sameDocumentName(one, name))) ?? null
    const keys = values
      .filter(value => value.trim() !== '' && (hint === null || !sameDocumentName(value, hint)))
      .map(value => rowKey(value, hint))
    const identity = keys.length === 0 ? { hint } : { hint, keys }
    read.set(values, identity)
    return identity
  }
}

/** Returns the same object for equal needles: a gold JSON value often has the same value in hundreds of fields. */
function sharedNeedles(): (needle: Needle) => Needle {
  const known = new Map<string, Needle>()
  return needle => {
    const key = JSON.stringify(needle)
    const first = known.get(key) ?? needle
    known.set(key, first)
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
