import { groupBy } from '../../src/core/group-by.ts'
import { createPauses } from '../../src/core/runtime.ts'
import { type Judge, usesPublishedPrompts } from '../../src/score/contract/judge.ts'
import { sortTokens } from '../../src/score/fuzzy/token-sort.ts'
import { type PickedRows, pickRows } from '../../src/score/judge/pick-row.ts'
import { estimatePublishedTokens, estimateTableTokens } from '../../src/score/judge/published-tokens.ts'
import type { JudgeTally } from '../../src/score/judge/tally.ts'
import { pythonKeyText } from '../../src/score/python/text.ts'
import type { RowMatching } from '../../src/score/table/compare-tables.ts'
import type { GoldTable } from '../../src/score/table/gold-table.ts'
import { createKeyNormaliser } from '../../src/score/table/key-normaliser.ts'
import type { RawTables } from '../../src/score/table/raw-comparison.ts'
import { makeRawKey, type RawTable } from '../../src/score/table/raw-table.ts'
import {
  areRowFiguresDifferent,
  createMatchDescriber,
  readRowFigures,
} from '../../src/score/table/row-match.ts'
import { findMostSimilar, type GoldKey, makeGoldKey } from './most-similar.ts'

/** Matches rows and keeps track of the free gold rows. */
interface Matcher {
  readonly rowOf: ReadonlyMap<number, number>
  /** The first free gold row with that text in an index of keys; null when there is none. */
  firstFree(index: ReadonlyMap<string, readonly number[]>, text: string): number | null
  freeKeys(): GoldKey[]
  /** Matches a gold row with a row of the answer. */
  take(goldRow: number, row: number): void
  /** Matches each row with the gold row that `find` returns; returns the rows without one. */
  pass(rows: readonly AnswerRow[], find: (row: AnswerRow) => number | null): Promise<AnswerRow[]>
}

interface AnswerRow {
  readonly row: number
  readonly key: readonly string[]
  readonly text: string
}

/** The tables whose rows are matched. */
interface RowsToMatch {
  readonly gold: GoldTable
  readonly tables: RawTables
  readonly judge: Judge
  readonly tally: JudgeTally
}

/**
 * Matches rows by Algorithm 1 of the AOE paper (arXiv 2507.16271). Every row of the answer with exactly the key of a free
 * gold row takes it first. For each remaining row, in order, the judge then picks among the free gold keys. With judge
 * `rules`, keys that are equal after normalisation come first, then the most similar free key with the same figures.
 */
export async function matchRowsAsPaper(input: RowsToMatch): Promise<RowMatching> {
  const { gold, tables, judge } = input
  const matcher = createMatcher(tables.gold)
  const rows = tables.answer.keys.map((key, row) => ({ row, key, text: pythonKeyText(key) }))
  const exactKeys = indexKeys(tables.gold.keys, pythonKeyText)
  const inexact = await matcher.pass(rows, ({ text }) => matcher.firstFree(exactKeys, text))
  const normalise = judge.kind === 'none' ? null : createKeyNormaliser(gold)
  const { judgedRows, failedRows } =
    normalise === null ? noPicks : await matchInexact(input, matcher, inexact, normalise)
  return {
    rowOf: orderMatches(matcher.rowOf, exactKeys),
    failedRows,
    describe: createMatchDescriber({
      goldKey: goldRow => makeRawKey(tables.gold, goldRow),
      answerKey: row => makeRawKey(tables.answer, row),
      normalise,
      judgedRows,
    }),
  }
}

const noPicks: PickedRows = { judgedRows: new Set(), failedRows: 0 }

/** Matches the rows without an exact key: by normalised keys, then by the judge or the most similar key. */
async function matchInexact(
  { gold, tables, judge, tally }: RowsToMatch,
  matcher: Matcher,
  rows: readonly AnswerRow[],
  normalise: (key: readonly string[]) => string,
): Promise<PickedRows> {
  const listTokens = estimateTableTokens(tables.gold.keys)
  for (const { text } of rows) tally.wouldCall(1, listTokens + estimatePublishedTokens(text))
  const normalisedKeys = usesPublishedPrompts(judge)
    ? new Map<string, number[]>()
    : indexKeys(tables.gold.keys, normalise)
  const open = await matcher.pass(rows, ({ key }) => {
    const form = normalise(key)
    return form === '' ? null : matcher.firstFree(normalisedKeys, form)
  })
  if (judge.kind === 'model') {
    const { freeKeys, take } = matcher
    return await pickRows(judge, tally, { keyColumns: gold.keyColumns, rows: open, freeKeys, take })
  }
  const goldFigures = tables.gold.keys.map(readRowFigures)
  await matcher.pass(open, ({ key, text }) => {
    const figures = readRowFigures(key)
    const isAllowed = (goldRow: number): boolean => !areRowFiguresDifferent(goldFigures[goldRow]!, figures)
    return findSimilarRow(text, normalise(key), matcher.freeKeys(), isAllowed)
  })
  return noPicks
}

/**
 * Reorders the matches of repeated keys: gold rows with the same key get their rows in the answer's order, whichever
 * rule matched them.
 */
function orderMatches(
  rowOf: ReadonlyMap<number, number>,
  goldRowsByKey: ReadonlyMap<string, readonly number[]>,
): Map<number, number> {
  const ordered = new Map<number, number>()
  for (const goldRows of goldRowsByKey.values()) {
    const rows = goldRows.flatMap(goldRow => rowOf.get(goldRow) ?? []).sort((a, b) => a - b)
    for (const [i, row] of rows.entries()) ordered.set(goldRows[i]!, row)
  }
  return ordered
}

/** Finds the most similar key with the same figures. A key that is empty after normalisation is similar to none. */
function findSimilarRow(
  text: string,
  form: string,
  keys: readonly GoldKey[],
  isAllowed: (goldRow: number) => boolean,
): number | null {
  const tokens = sortTokens(text)
  return tokens.length === 0 || form === '' ? null : findMostSimilar(tokens, keys, isAllowed)
}

const indexKeys = (
  keys: readonly (readonly string[])[],
  write: (key: readonly string[]) => string,
): ReadonlyMap<string, readonly number[]> => groupBy(keys.keys(), row => write(keys[row]!))

function createMatcher(gold: RawTable): Matcher {
  const keys: GoldKey[] = gold.keys.map((key, goldRow) => makeGoldKey(pythonKeyText(key), goldRow))
  const rowOf = new Map<number, number>()
  const take = (goldRow: number, row: number): void => void rowOf.set(goldRow, row)
  return {
    rowOf,
    take,
    firstFree: (index, text) => index.get(text)?.find(goldRow => !rowOf.has(goldRow)) ?? null,
    freeKeys: () => keys.filter(key => !rowOf.has(key.goldRow)),
    async pass(rows, find) {
      const pauseWhenDue = createPauses()
      const unmatched: AnswerRow[] = []
      for (const answerRow of rows) {
        await pauseWhenDue()
        const goldRow = find(answerRow)
        if (goldRow === null) unmatched.push(answerRow)
        else take(goldRow, answerRow.row)
      }
      return unmatched
    },
  }
}
