import { isBlankValue } from '../core/blank-value.ts'
import { documentStem } from '../core/document.ts'
import type { GoldRow } from '../core/gold.ts'
import type { Item } from '../core/score-items.ts'
import { countSignificantDigits } from '../text/printed-number.ts'
import type { EvidenceLookup } from './gold-evidence.ts'
import { nameColumn } from './gold-evidence.ts'
import {
  type EvidenceDocument,
  findAnswerEvidence,
  type ItemEvidence,
  type SearchedValue,
} from './matcher.ts'
import type { EvidenceNeedle, TextIndex, TextIndexes } from './text-index.ts'
import { linesOfRow } from './text-index.ts'
import { splitWords } from './unmatched-rows.ts'

type Alternatives = ItemEvidence['alternatives']

/** What is known about where a value of the answer can be from. */
export interface AnswerSources {
  readonly items: readonly Item[]
  /** The whole texts of the task's documents; null when unknown. */
  readonly documents: readonly EvidenceDocument[] | null
  /** The evidence of an item, which names its row. */
  readonly allPartsOf: EvidenceLookup
  readonly indexes: TextIndexes
}

interface ShownSources extends AnswerSources {
  /** What the attempt was shown of the task's documents. */
  readonly views: readonly { readonly shown: readonly string[] }[]
  /** Every text that the attempt was shown; null when unknown. */
  allShown(): readonly string[] | null
}

/** A value with fewer letters or digits is in almost every document. */
const leastTellingChars = 4
const leastTellingDigits = 3

/**
 * Whether the task's documents contain the answer's value for an item, or values from which it is calculated. A short
 * value, such as 5, counts only on a line that has a word of the item's row or column.
 */
export function isWrittenInDocuments(item: Item, sources: AnswerSources): boolean {
  const words = splitWords(
    [nameColumn(item), ...listRowKeys(item, sources).map(({ value }) => value)].join('\n'),
  )
  const alternatives = listAlternatives(item, sources)
  return listRowDocuments(item, sources).some(({ text }) => {
    const index = sources.indexes(text)
    return alternatives.some(needles =>
      needles.every(needle => index.has(needle) && (isTelling(needle) || hasLineWith(index, needle, words))),
    )
  })
}

/**
 * Whether the answer's value for an item is from a text other than the task's documents. The text must also have the
 * keys of the row: near the value when the documents contain the value elsewhere.
 */
export function isCopiedFromElsewhere(item: Item, sources: ShownSources): boolean {
  const { indexes, views } = sources
  const alternatives = listAlternatives(item, sources).filter(needles => needles.every(isTelling))
  if (alternatives.length === 0 || sources.documents === null) return false
  const keys = listRowKeys(item, sources)
  const shownOfTask = views.flatMap(({ shown }) => shown).filter(text => text !== '')
  const ownTexts = [...listRowDocuments(item, sources).map(({ text }) => text), ...shownOfTask]
  const ownIndexes = ownTexts.map(indexes)
  if (ownIndexes.some(index => hasNear(index, alternatives, keys))) return false
  const isOwn = ownIndexes.some(index => hasAny(index, alternatives))
  const isOther = (text: string): boolean =>
    !shownOfTask.some(shown => shown.length >= text.length * leastOwnShare && text.includes(shown))
  return (sources.allShown() ?? []).filter(isOther).some(text => {
    const index = indexes(text)
    if (!hasAny(index, alternatives)) return false
    if (keys.length === 0) return !isOwn && namesDocument(text, item, sources)
    return isOwn ? hasNear(index, alternatives, keys) : keys.every(key => hasAny(index, key.alternatives))
  })
}

/** A result of a tool with at least this share of a document's text shows that document, not a look-alike that begins like it. */
const leastOwnShare = 0.8

function listAlternatives(item: Item, sources: AnswerSources): Alternatives {
  return findAnswerEvidence(item.predicted ?? '', nameColumn(item), findAnswerRow(item, sources))
}

/** The values of the answer's row, from which a value may be calculated. */
function findAnswerRow(item: Item, { items }: AnswerSources): GoldRow {
  if (!('goldRow' in item)) return {}
  const ofRow = items.filter(
    other => 'goldRow' in other && other.goldRow === item.goldRow && other.turn === item.turn,
  )
  return Object.fromEntries(ofRow.map(other => [nameColumn(other), other.predicted]))
}

function listRowKeys(item: Item, { allPartsOf }: AnswerSources) {
  return allPartsOf(item)[0]?.keys ?? []
}

function listRowDocuments(item: Item, { documents, allPartsOf }: AnswerSources): readonly EvidenceDocument[] {
  const hint = allPartsOf(item)[0]?.hint ?? null
  return (documents ?? []).filter(document => hint === null || document.hint === hint)
}

function isTelling(needle: EvidenceNeedle): boolean {
  if (needle.kind === 'growth') return true
  if (needle.kind === 'text') return needle.forms.every(form => form.length >= leastTellingChars)
  return countSignificantDigits(needle.value) >= leastTellingDigits
}

function hasLineWith(index: TextIndex, needle: EvidenceNeedle, words: readonly string[]): boolean {
  return index
    .linesWith(needle)
    .some(line => index.around(line, 0, 0).some(({ text }) => words.some(word => text.includes(word))))
}

function hasAny(index: TextIndex, alternatives: Alternatives): boolean {
  return alternatives.some(needles => needles.every(needle => index.has(needle)))
}

/** Whether a text has a value near the keys of its row; for a row without keys, anywhere. */
function hasNear(index: TextIndex, alternatives: Alternatives, keys: readonly SearchedValue[]): boolean {
  if (keys.length === 0) return hasAny(index, alternatives)
  return alternatives.some(([needle]) => {
    if (needle === undefined || !index.has(needle)) return false
    return index.linesWith(needle).some(line => {
      const near = index.around(line, ...linesOfRow).map(({ text }) => text)
      return keys.every(({ alternatives: [needles = []] }) =>
        needles.every(
          key => key.kind === 'text' && key.forms.some(form => near.some(text => text.includes(form))),
        ),
      )
    })
  })
}

/** Whether a text has another value of the row, or a word of the name of its document that is longer than a code. */
function namesDocument(text: string, item: Item, { items, allPartsOf, indexes }: AnswerSources): boolean {
  const hint = allPartsOf(item)[0]?.hint ?? null
  const rowItems = items.filter(
    other => 'goldRow' in other && 'goldRow' in item && other.goldRow === item.goldRow && other !== item,
  )
  const hasOther = rowItems.some(
    other =>
      !isBlankValue(other.gold) &&
      allPartsOf(other).some(({ alternatives }) =>
        alternatives.some(needles => needles.every(needle => isTelling(needle) && indexes(text).has(needle))),
      ),
  )
  if (hasOther || hint === null) return hasOther
  const names = splitWords(documentStem(hint).replaceAll('_', ' ')).filter(word => /^[a-z]{3,}$/.test(word))
  return names.length > 0 && names.every(word => indexes(text).has({ kind: 'text', forms: [word] }))
}
