import { pairGreedily } from '../core/pair-greedily.ts'
import type { Item } from '../core/score-items.ts'
import { foldText } from '../text/fold.ts'
import { isSameDocumentName } from './document-name.ts'
import type { EvidenceLookup } from './gold-evidence.ts'
import type { LedgerAnswer } from './ledger-answer.ts'
import { containsEvidence, type ItemEvidence } from './matcher.ts'
import type { TextIndexes } from './text-index.ts'

/** A gold row that matches no row of the answer. */
interface LostRow {
  readonly row: number
  readonly items: readonly { readonly item: Item; readonly parts: readonly ItemEvidence[] }[]
}

interface Candidate {
  readonly lost: LostRow
  readonly answerRow: number
  readonly items: readonly Item[]
  readonly sharedKeyWords: number
}

/**
 * Finds the items of lost gold rows whose values are in a row of the answer that matches no gold row. A row of the
 * answer counts for at most one gold row: the one with the most values in it, and then with the most words of its keys.
 * It must contain a word of the gold row's keys, or two of its values. Keys that name a document are not compared,
 * because such a row would have been matched.
 */
export function findItemsInOtherRows(
  items: readonly Item[],
  answer: LedgerAnswer,
  partsOf: EvidenceLookup,
  indexes: TextIndexes,
): ReadonlySet<Item> {
  const rows = answer.rows()
  if (rows === null) return new Set()
  const matched = new Set(
    items.flatMap(item => ('matched' in item && item.matched ? [item.matched.row] : [])),
  )
  const free = rows.map((_, row) => row).filter(row => !matched.has(row))
  if (free.length === 0) return new Set()
  const candidates = listLostRows(items, partsOf).flatMap(lost =>
    free.flatMap(answerRow => findCandidate(lost, answerRow, rows[answerRow]!, indexes) ?? []),
  )
  return new Set(bestPairs(candidates).flatMap(({ items }) => items))
}

function listLostRows(items: readonly Item[], partsOf: EvidenceLookup): LostRow[] {
  const byRow = new Map<number, { item: Item; parts: readonly ItemEvidence[] }[]>()
  for (const item of items) {
    if (!('goldRow' in item) || item.predicted !== null || item.matched) continue
    const parts = partsOf(item)
    if (parts.length > 0) byRow.set(item.goldRow, [...(byRow.get(item.goldRow) ?? []), { item, parts }])
  }
  return [...byRow].map(([row, ofRow]) => ({ row, items: ofRow }))
}

function findCandidate(
  lost: LostRow,
  answerRow: number,
  text: string,
  indexes: TextIndexes,
): Candidate | null {
  const contains = (part: ItemEvidence): boolean =>
    containsEvidence(part, [{ hint: part.hint ?? '', text }], indexes)
  const items = lost.items.filter(({ parts }) => parts.every(contains)).map(({ item }) => item)
  if (items.length === 0) return null
  const { keys = [], hint } = lost.items[0]!.parts[0]!
  // A name such as `credit_agreement.pdf` shares words with the keys of many rows.
  const named = text.split('\n').filter(value => hint === null || !isSameDocumentName(value, hint))
  const words = splitWords(named.join('\n'))
  const sharedKeyWords = keys
    .flatMap(({ value }) => splitWords(value))
    .filter(word => words.includes(word)).length
  const isLike = keys.length === 0 || sharedKeyWords > 0 || items.length > 1
  return isLike ? { lost, answerRow, items, sharedKeyWords } : null
}

/** The words of a text, folded. Of scripts that do not separate words, each pair of neighbouring characters. */
export function splitWords(text: string): string[] {
  const words = (text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).map(word => foldText(word).text)
  return words.flatMap(word =>
    /\p{Script=Han}/u.test(word) ? Array.from(word.slice(1), (next, at) => word.charAt(at) + next) : [word],
  )
}

/** Pairs rows one to one, the best candidates first. */
function bestPairs(candidates: readonly Candidate[]): Candidate[] {
  const sorted = [...candidates].sort(
    (a, b) =>
      b.items.length - a.items.length || b.sharedKeyWords - a.sharedKeyWords || a.lost.row - b.lost.row,
  )
  return pairGreedily(sorted, ({ lost, answerRow }) => [lost, answerRow])
}
