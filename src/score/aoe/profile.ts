import { alignByName, alignByRules } from '../align/align-columns.ts'
import { noJudgeUsage } from '../judge/usage.ts'
import { closeAsPublished } from '../pandas/numeric.ts'
import type { Profile, ProfileInput, TableComparison } from '../profile.ts'
import { alignedAnswer } from '../table/aligned-answer.ts'
import { comparedCells } from '../table/compared-cells.ts'
import type { GoldTable } from '../table/gold-table.ts'
import { type CellRating, ratings } from '../table/rating.ts'
import { hasFileExtension, normaliseKey } from '../text/normalise.ts'
import { rateTextByRules } from '../text/rate-text.ts'
import { type PreparedTable, prepareTable } from './aoe-table.ts'
import { createRowMatcher } from './row-matcher.ts'

/** AOE's published scorer (AOE, arXiv 2507.16271, its evaluation code). */
export const aoeProfile: Profile = {
  summary: "AOE's published scorer: key match or similarity of 90, numbers within 1e-5, texts equal",
  compare: async input => compare(input),
}

function compare({ gold, answer, judge }: ProfileInput): TableComparison {
  const byRules = judge.kind !== 'none'
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const aligned = alignedAnswer(gold, answer, (byRules ? alignByRules : alignByName)(names, answer.header))
  const goldReady = prepareTable(gold.rowCount, name => gold.values.get(name) ?? null, gold)
  const answerReady = prepareTable(aligned.rowCount, aligned.columnOf, gold)
  const rowOf = matchRows(goldReady, answerReady, byRules ? keyNormaliser(gold) : null)
  return {
    goldRows: gold.rowCount,
    predictedRows: aligned.rowCount,
    matchedRows: rowOf.size,
    cells: comparedCells(gold, aligned, rowOf, (goldRow, row, target) =>
      rateCell(goldReady, goldRow, answerReady, row, target, byRules),
    ),
    matchedTargets: aligned.matchedTargets,
    nonKeyColumns: aligned.nonKeyColumns,
    spuriousColumns: aligned.spuriousColumns,
    judgeUsage: noJudgeUsage,
  }
}

function matchRows(
  gold: PreparedTable,
  answer: PreparedTable,
  normalise: ((key: readonly string[]) => string) | null,
): Map<number, number> {
  const matcher = createRowMatcher(gold.keyTexts, normalisedKeys(gold, normalise))
  const normalised = normalisedKeys(answer, normalise)
  const rowOf = new Map<number, number>()
  for (const [row, key] of answer.keyTexts.entries()) {
    const match = matcher.find(key, normalised?.[row] ?? null)
    if (match === null) continue
    matcher.take(match.goldRow)
    rowOf.set(match.goldRow, row)
  }
  return rowOf
}

function normalisedKeys(
  table: PreparedTable,
  normalise: ((key: readonly string[]) => string) | null,
): string[] | null {
  if (normalise === null) return null
  return table.keyTexts.map((_, row) => normalise(table.keyColumns.map(column => column[row]!)))
}

/** A key column whose gold values are all file names is one, so that a path goes from the answer's values too. */
export function keyNormaliser(gold: GoldTable): (key: readonly string[]) => string {
  const isFileColumn = gold.keyColumns.map(name => {
    const values = gold.values.get(name)!.filter(value => value !== '')
    return values.length > 0 && values.every(hasFileExtension)
  })
  return key => {
    const parts = key.map((part, i) => normaliseKey(part, isFileColumn[i] ?? false))
    return parts.every(part => part === '') ? '' : parts.join('\u0000')
  }
}

function rateCell(
  gold: PreparedTable,
  goldRow: number,
  answer: PreparedTable,
  row: number,
  target: number,
  byRules: boolean,
): CellRating {
  const left = gold.targets[target]!
  const right = answer.targets[target]!
  if (left.numeric) {
    return closeAsPublished(left.numbers[goldRow]!, right.numbers[row]!)
      ? ratings.numeric
      : ratings.numericDifferent
  }
  return rateText(left.texts[goldRow]!, right.texts[row]!, byRules)
}

function rateText(gold: string, predicted: string, byRules: boolean): CellRating {
  if (gold === predicted) return gold === '' ? ratings.bothEmpty : ratings.equal
  if (gold === '' || predicted === '') return ratings.oneEmpty
  return byRules ? rateTextByRules(gold, predicted) : ratings.different
}
