import { groupBy } from '../../core/group-by.ts'
import { pairGreedily } from '../../core/pair-greedily.ts'
import { createPauses } from '../../core/runtime.ts'
import {
  computeCommonLengthBound,
  computeRatioBound,
  computeTokenSortRatio,
  countLetters,
  type LetterBag,
  type SortedTokens,
  sortTokens,
} from '../fuzzy/token-sort.ts'
import { pythonKeyText } from '../python/text.ts'
import type { RawTable } from '../table/raw-table.ts'
import { areRowFiguresDifferent, type RowFigures, readRowFigures } from '../table/row-match.ts'
import { findBestAssignment } from './assignment.ts'

const similarEnough = 90
/** With more pairs in one group, the agreement of cells no longer breaks ties. */
const mostTieBreaks = 250_000
/** With more steps, a group is assigned greedily, most similar keys first, which may not be optimal. */
const mostSteps = 300_000_000
/** With more pairs of keys, only equal keys are matched. */
const mostComparisons = 20_000_000

/** The weight of keys that are equal after normalisation. It exceeds that of two similar keys, so no such match is given up for them. */
const sameKey = 2
/** The weight of keys with the same text. It exceeds that of any two other matches. */
const exactKey = 5

/**
 * Matches rows by the one-to-one assignment with the greatest total similarity of keys. Rows with exactly the same key
 * come first, then rows whose keys are equal after normalisation, then rows whose keys are at least 90 of 100 similar and
 * have the same figures (`readKeyFigures`). Among repeated keys, the rows whose cells agree most are matched. A key that is
 * empty after normalisation matches only an identical key. Very large tables are matched by simpler rules (see the limits
 * above), so that the time stays bounded.
 *
 * @param agreement the share of cells of two rows that agree, 0 to 1
 * @returns the answer's row of each gold row that has one
 */
export async function matchRowsOptimally(
  gold: RawTable,
  answer: RawTable,
  normalise: (key: readonly string[]) => string,
  agreement: (goldRow: number, answerRow: number) => number,
): Promise<Map<number, number>> {
  const formOf = (key: readonly string[]): string => normalise(key) || writeUnnormalisedForm(key)
  const pauseWhenDue = createPauses()
  const goldForms = gold.keys.map(formOf)
  const answerForms: string[] = []
  for (const key of answer.keys) {
    answerForms.push(formOf(key))
    await pauseWhenDue()
  }
  const rowOf = pairUniqueForms(gold.keys.map(writeUnnormalisedForm), answer.keys.map(writeUnnormalisedForm))
  const exactRows = new Set(rowOf.values())
  for (const [goldRow, row] of pairUniqueForms(goldForms, answerForms))
    if (!rowOf.has(goldRow) && !exactRows.has(row)) rowOf.set(goldRow, row)
  const matchedRows = new Set(rowOf.values())
  const edges = await computeSimilarities(
    listKeyForms(gold, goldForms).filter(form => !rowOf.has(form.row)),
    listKeyForms(answer, answerForms).filter(form => !matchedRows.has(form.row)),
  )
  for (const group of groupConnected(edges)) {
    for (const [goldRow, row] of await assignGroup(group, edges, agreement)) rowOf.set(goldRow, row)
  }
  return rowOf
}

/** A form that no normalised key can have; '' for an empty key. */
const writeUnnormalisedForm = (key: readonly string[]): string =>
  key.every(part => part === '') ? '' : `\u0001${key.join('\u0000')}`

async function assignGroup(
  group: Group,
  edges: ReadonlyMap<number, ReadonlyMap<number, number>>,
  agreement: (goldRow: number, answerRow: number) => number,
): Promise<[number, number][]> {
  const { goldRows, answerRows } = group
  if (Math.min(goldRows.length, answerRows.length) * goldRows.length * answerRows.length > mostSteps) {
    return assignGreedily(group, edges)
  }
  const breakTies = answerRows.length > 1 && goldRows.length * answerRows.length <= mostTieBreaks
  const weights: number[][] = []
  const pauseWhenDue = createPauses()
  for (const goldRow of goldRows) {
    const ofRow: number[] = []
    for (const row of answerRows) {
      const similarity = edges.get(goldRow)?.get(row) ?? 0
      ofRow.push(similarity > 0 && breakTies ? similarity + 0.001 * agreement(goldRow, row) : similarity)
      await pauseWhenDue()
    }
    weights.push(ofRow)
  }
  return findBestAssignment(weights).flatMap((column, i) =>
    column < 0 ? [] : [[goldRows[i]!, answerRows[column]!] as [number, number]],
  )
}

/** Assigns the most similar pairs first, each row once. */
function assignGreedily(
  { goldRows }: Group,
  edges: ReadonlyMap<number, ReadonlyMap<number, number>>,
): [number, number][] {
  const pairs = goldRows.flatMap(goldRow =>
    [...edges.get(goldRow)!].map(([row, similarity]) => ({ goldRow, row, similarity })),
  )
  pairs.sort((a, b) => b.similarity - a.similarity || a.goldRow - b.goldRow || a.row - b.row)
  return pairGreedily(pairs, ({ goldRow, row }) => [goldRow, row]).map(({ goldRow, row }) => [goldRow, row])
}

/** Pairs keys that occur exactly once on each side. They belong together in every best assignment. */
function pairUniqueForms(goldForms: readonly string[], answerForms: readonly string[]): Map<number, number> {
  const goldRowOf = mapUniqueForms(goldForms)
  const pairs = new Map<number, number>()
  for (const [form, row] of mapUniqueForms(answerForms)) {
    const goldRow = goldRowOf.get(form)
    if (goldRow !== undefined) pairs.set(goldRow, row)
  }
  return pairs
}

function mapUniqueForms(forms: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>()
  const repeated = new Set([''])
  for (const [row, form] of forms.entries()) {
    if (rows.has(form)) repeated.add(form)
    rows.set(form, row)
  }
  for (const form of repeated) rows.delete(form)
  return rows
}

interface KeyForm {
  readonly row: number
  readonly text: string
  readonly normalised: string
  readonly tokens: SortedTokens
  readonly bag: LetterBag
  readonly key: readonly string[]
  /** Read when a similar key is found. */
  figures: RowFigures | null
}

const listKeyForms = (table: RawTable, forms: readonly string[]): KeyForm[] =>
  table.keys.map((key, row) => {
    const text = pythonKeyText(key)
    const tokens = sortTokens(text)
    return { row, text, normalised: forms[row]!, tokens, bag: countLetters(tokens), key, figures: null }
  })

/** Similarities above 0, by gold row and answer row. */
async function computeSimilarities(
  gold: readonly KeyForm[],
  answer: readonly KeyForm[],
): Promise<Map<number, Map<number, number>>> {
  const pauseWhenDue = createPauses()
  const edges = new Map<number, Map<number, number>>()
  const similarToo = gold.length * answer.length <= mostComparisons
  for (const left of gold) {
    if (left.normalised === '') continue
    for (const right of answer) {
      const similarity = weighEquality(left, right) ?? (similarToo ? computeKeySimilarity(left, right) : 0)
      if (similarity === 0) continue
      const rows = edges.get(left.row) ?? new Map<number, number>()
      edges.set(left.row, rows.set(right.row, similarity))
    }
    await pauseWhenDue()
  }
  return edges
}

/** The weight of equal keys; null for other keys. */
const weighEquality = (left: KeyForm, right: KeyForm): number | null =>
  left.normalised === right.normalised ? (left.text === right.text ? exactKey : sameKey) : null

function computeKeySimilarity(left: KeyForm, right: KeyForm): number {
  if (right.normalised === '' || left.tokens.length === 0 || right.tokens.length === 0) return 0
  if (computeRatioBound(left.tokens, right.tokens) < similarEnough) return 0
  const total = left.tokens.length + right.tokens.length
  if (200 * computeCommonLengthBound(left.bag, right.bag) < similarEnough * total) return 0
  const ratio = computeTokenSortRatio(left.tokens, right.tokens)
  if (ratio < similarEnough) return 0
  left.figures ??= readRowFigures(left.key)
  right.figures ??= readRowFigures(right.key)
  return areRowFiguresDifferent(left.figures, right.figures) ? 0 : ratio / 101
}

interface Group {
  readonly goldRows: number[]
  readonly answerRows: number[]
}

/** Divides the rows into groups without edges between them, which can be assigned separately. */
function groupConnected(edges: ReadonlyMap<number, ReadonlyMap<number, number>>): Group[] {
  const links = [...edges].flatMap(([goldRow, rows]) => [...rows.keys()].map(row => ({ goldRow, row })))
  const linksByRow = groupBy(links, ({ row }) => row)
  const visitedGold = new Set<number>()
  const groups: Group[] = []
  for (const start of edges.keys()) {
    if (visitedGold.has(start)) continue
    visitedGold.add(start)
    const group: Group = { goldRows: [start], answerRows: [] }
    const seenRows = new Set<number>()
    for (const goldRow of group.goldRows) {
      for (const row of edges.get(goldRow)!.keys()) {
        if (seenRows.has(row)) continue
        seenRows.add(row)
        group.answerRows.push(row)
        for (const { goldRow: linked } of linksByRow.get(row)!) {
          if (visitedGold.has(linked)) continue
          visitedGold.add(linked)
          group.goldRows.push(linked)
        }
      }
    }
    group.goldRows.sort((a, b) => a - b)
    group.answerRows.sort((a, b) => a - b)
    groups.push(group)
  }
  return groups
}
