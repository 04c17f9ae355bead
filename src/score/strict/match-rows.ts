import { ratioBound, type SortedTokens, sortedTokens, tokenSortRatio } from '../fuzzy/token-sort.ts'
import { pythonKeyText } from '../python/text.ts'
import type { RawTable } from '../table/raw-table.ts'
import { bestAssignment } from './assignment.ts'

const similarEnough = 90
/** Beyond so many pairs in one group, agreement of cells no longer breaks ties. */
const mostTieBreaks = 250_000

/**
 * Rows matched by the one-to-one assignment that gives the greatest total likeness of keys: 1 for keys equal after
 * normalisation, else their similarity from 90 of 100 on. Where keys repeat, the rows whose cells agree most go together.
 * Keys of which nothing is left match nothing.
 * @param agreement share of cells of two rows that agree, 0..1
 * @returns the answer's row of each gold row that has one
 */
export function matchRowsOptimally(
  gold: RawTable,
  answer: RawTable,
  normalise: (key: readonly string[]) => string,
  agreement: (goldRow: number, answerRow: number) => number,
): Map<number, number> {
  const edges = likenesses(gold.keys.map(keyForms(normalise)), answer.keys.map(keyForms(normalise)))
  const rowOf = new Map<number, number>()
  for (const group of connectedGroups(edges)) {
    const pairs = group.goldRows.length * group.answerRows.length
    const breakTies = pairs > 1 && pairs <= mostTieBreaks
    const weights = group.goldRows.map(goldRow =>
      group.answerRows.map(row => {
        const likeness = edges.get(goldRow)?.get(row) ?? 0
        return likeness > 0 && breakTies ? likeness + 0.001 * agreement(goldRow, row) : likeness
      }),
    )
    for (const [i, column] of bestAssignment(weights).entries()) {
      if (column >= 0) rowOf.set(group.goldRows[i]!, group.answerRows[column]!)
    }
  }
  return rowOf
}

interface KeyForm {
  readonly normalised: string
  readonly tokens: SortedTokens
}

const keyForms =
  (normalise: (key: readonly string[]) => string) =>
  (key: readonly string[]): KeyForm => ({
    normalised: normalise(key),
    tokens: sortedTokens(pythonKeyText(key)),
  })

/** Likeness above 0, by gold row and answer row. */
function likenesses(gold: readonly KeyForm[], answer: readonly KeyForm[]): Map<number, Map<number, number>> {
  const edges = new Map<number, Map<number, number>>()
  for (const [goldRow, left] of gold.entries()) {
    if (left.normalised === '') continue
    for (const [row, right] of answer.entries()) {
      const likeness = likenessOf(left, right)
      if (likeness === 0) continue
      const rows = edges.get(goldRow) ?? new Map<number, number>()
      edges.set(goldRow, rows.set(row, likeness))
    }
  }
  return edges
}

function likenessOf(left: KeyForm, right: KeyForm): number {
  if (left.normalised === right.normalised) return 1
  if (right.normalised === '' || left.tokens.length === 0 || right.tokens.length === 0) return 0
  if (ratioBound(left.tokens, right.tokens) < similarEnough) return 0
  const ratio = tokenSortRatio(left.tokens, right.tokens)
  return ratio >= similarEnough ? ratio / 101 : 0
}

interface Group {
  readonly goldRows: number[]
  readonly answerRows: number[]
}

/** Rows that no edge connects can be assigned apart. */
function connectedGroups(edges: ReadonlyMap<number, ReadonlyMap<number, number>>): Group[] {
  const goldRowsOf = new Map<number, number[]>()
  for (const [goldRow, rows] of edges) {
    for (const row of rows.keys()) {
      const goldRows = goldRowsOf.get(row)
      if (goldRows === undefined) goldRowsOf.set(row, [goldRow])
      else goldRows.push(goldRow)
    }
  }
  const seen = new Set<number>()
  const groups: Group[] = []
  for (const start of edges.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const group: Group = { goldRows: [start], answerRows: [] }
    const seenRows = new Set<number>()
    for (const goldRow of group.goldRows) {
      for (const row of edges.get(goldRow)!.keys()) {
        if (seenRows.has(row)) continue
        seenRows.add(row)
        group.answerRows.push(row)
        for (const other of goldRowsOf.get(row)!) {
          if (seen.has(other)) continue
          seen.add(other)
          group.goldRows.push(other)
        }
      }
    }
    group.goldRows.sort((a, b) => a - b)
    group.answerRows.sort((a, b) => a - b)
    groups.push(group)
  }
  return groups
}
