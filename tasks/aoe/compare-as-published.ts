import { createPauses } from '../../src/core/runtime.ts'
import { alignByName, alignByRules } from '../../src/score/align/align-columns.ts'
import { parseAnswer } from '../../src/score/answer/parse-answer.ts'
import { type Judge, type ModelJudge, usesPublishedPrompts } from '../../src/score/contract/judge.ts'
import { pickRow } from '../../src/score/judge/pick-row.ts'
import { writeRewritePrompt } from '../../src/score/judge/prompts.ts'
import {
  estimatePublishedTokens,
  estimateTableTokens,
  promptOverheadTokens,
} from '../../src/score/judge/published-tokens.ts'
import { createTally, type JudgeTally } from '../../src/score/judge/tally.ts'
import type { CsvTable } from '../../src/score/pandas/csv.ts'
import { alignAnswer } from '../../src/score/table/aligned-answer.ts'
import { createGrid } from '../../src/score/table/cell-grid.ts'
import {
  createComparison,
  createUniformComparison,
  type RowMatching,
} from '../../src/score/table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../../src/score/table/comparison.ts'
import type { GoldTable } from '../../src/score/table/gold-table.ts'
import { createKeyNormaliser } from '../../src/score/table/key-normaliser.ts'
import { rewriteAsPublished } from '../../src/score/table/published-texts.ts'
import { type RuleVerdict, rateMatched } from '../../src/score/table/rate-matched.ts'
import { rateEmpty, rateTextByRules, textRules } from '../../src/score/table/rate-text.ts'
import { ratings } from '../../src/score/table/rating.ts'
import { createMatchDescriber, type RowKeyText } from '../../src/score/table/row-match.ts'
import { writeCsv } from '../../src/text/csv.ts'
import { areCellsEqual, type PreparedTable, prepareTable, readTargetText } from './aoe-table.ts'
import { createRowMatcher } from './row-matcher.ts'

/**
 * Compares tables as AOE's published scorer does (arXiv 2507.16271, its evaluation code). Known defects of
 * that code are kept. Only the first row of a repeated key can be matched, and columns that the gold lacks do
 * not lower cell precision.
 */
export async function compareAsPublished(tables: TablesToCompare): Promise<TableComparison> {
  const { gold, judge } = tables
  const tally = createTally()
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const table = await alignWithGoldHeader(names, tables, tally)
  if (table === null) return createUniformComparison(gold, ratings.judgeFailed, tally)
  const align = judge.kind === 'rules' ? alignByRules : alignByName
  const aligned = alignAnswer(gold, table, align(names, table.header))
  const ready: PreparedTables = {
    gold: prepareValues(gold, gold.rowCount, name => gold.values.get(name) ?? null),
    answer: prepareValues(gold, aligned.rowCount, aligned.columnOf),
  }
  const matching = await matchRows(gold, ready, judge, tally)
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) => {
      const cell = { goldRow, row, target, column: gold.targetColumns[target]! }
      return rateCell(ready, cell, judge)
    },
    {
      judge,
      tally,
      allowBatch: false,
      publishedAsks: asksAboutText,
      cellAt: (goldRow, row, target) => readTexts(ready, goldRow, row, target),
    },
  )
  return createComparison({ gold, answer: aligned, matching, rate, tally })
}

interface PreparedTables {
  readonly gold: PreparedTable
  readonly answer: PreparedTable
}

/** The texts that the published prompt would show of two cells; none of numbers, about which it does not ask. */
function readTexts({ gold, answer }: PreparedTables, goldRow: number, row: number, target: number) {
  const [left, right] = [gold.targets[target]!, answer.targets[target]!]
  if (left.numeric) return { gold: '', predicted: '' }
  return { gold: readTargetText(left, goldRow), predicted: readTargetText(right, row) }
}

function prepareValues(
  gold: GoldTable,
  rowCount: number,
  columnOf: (name: string) => readonly string[] | null,
): PreparedTable {
  const header = [...gold.keyColumns, ...gold.targetColumns].filter(name => columnOf(name) !== null)
  const columns = header.map(name => columnOf(name)!)
  const grid = createGrid(header, rowCount, (row, column) => columns[column]![row]!)
  return prepareTable(grid, name => header.indexOf(name), gold)
}

/** Whether the published procedure asks its model: it does for every pair of texts that are neither equal nor empty. */
const asksAboutText = (verdict: RuleVerdict): boolean => !('rule' in verdict) || textRules.has(verdict.rule)

/**
 * Has a judge model rewrite the table under the gold's header, unless it already has it. Null when the judge failed.
 */
async function alignWithGoldHeader(
  names: readonly string[],
  tables: TablesToCompare,
  tally: JudgeTally,
): Promise<CsvTable | null> {
  const { answer, judge } = tables
  if (judge.kind === 'none') return answer
  // The prompt and the reply each contain the whole table.
  tally.wouldCall(1, promptOverheadTokens + 2 * estimateTableTokens([answer.header, ...answer.rows]))
  if (usesPublishedPrompts(judge)) return await rewriteAsPublished(tables, judge, tally)
  if (judge.kind === 'rules' || names.every(name => answer.header.includes(name))) return answer
  return await rewriteUnderHeader(names, answer, judge, tally)
}

async function matchRows(
  gold: GoldTable,
  ready: PreparedTables,
  judge: Judge,
  tally: JudgeTally,
): Promise<RowMatching> {
  const { answer } = ready
  const normalise = judge.kind === 'none' || usesPublishedPrompts(judge) ? null : createKeyNormaliser(gold)
  const matcher = createRowMatcher(ready.gold.keyTexts, listNormalisedKeys(ready.gold, normalise))
  const rowOf = new Map<number, number>()
  const listTokens = judge.kind === 'none' ? 0 : estimateTableTokens([ready.gold.keyTexts])
  const judgedRows = new Set<number>()
  let failedRows = 0
  const pauseWhenDue = createPauses()
  for (const [row, key] of answer.keyTexts.entries()) {
    await pauseWhenDue()
    let goldRow = matcher.find(key, normalise === null ? null : () => normalise(readKey(answer, row)))
    if (goldRow === null && judge.kind !== 'none')
      tally.wouldCall(1, listTokens + estimatePublishedTokens(key))
    if (goldRow === null && judge.kind === 'model') {
      const { keyColumns } = gold
      const picked = await pickRow(judge, tally, { keyColumns, key, goldKeys: matcher.keyTexts() })
      if (picked === null) failedRows += 1
      else if (picked.key !== null) goldRow = matcher.findByText(picked.key)
      if (goldRow !== null) judgedRows.add(row)
    }
    if (goldRow === null) continue
    matcher.take(goldRow)
    rowOf.set(goldRow, row)
  }
  const goldKey = (goldRow: number): RowKeyText => makeRowKey(ready.gold, goldRow)
  const answerKey = (row: number): RowKeyText => makeRowKey(answer, row)
  return { rowOf, failedRows, describe: createMatchDescriber({ goldKey, answerKey, normalise, judgedRows }) }
}

const makeRowKey = (table: PreparedTable, row: number): RowKeyText => ({
  parts: readKey(table, row),
  text: table.keyTexts[row]!,
})

const readKey = (table: PreparedTable, row: number): string[] => table.keyColumns.map(column => column[row]!)

function listNormalisedKeys(
  table: PreparedTable,
  normalise: ((key: readonly string[]) => string) | null,
): (() => string[]) | null {
  return normalise === null ? null : () => table.keyTexts.map((_, row) => normalise(readKey(table, row)))
}

interface MatchedCell {
  readonly goldRow: number
  readonly row: number
  readonly target: number
  readonly column: string
}

function rateCell(ready: PreparedTables, cell: MatchedCell, judge: Judge): RuleVerdict {
  const { goldRow, row, target, column } = cell
  const left = ready.gold.targets[target]!
  const right = ready.answer.targets[target]!
  if (left.numeric) {
    return areCellsEqual(left, goldRow, right, row) ? ratings.numeric : ratings.numericDifferent
  }
  const goldText = readTargetText(left, goldRow)
  const predicted = readTargetText(right, row)
  if (goldText === predicted) return goldText === '' ? ratings.bothEmpty : ratings.equal
  const byRules = judge.kind !== 'none' && !usesPublishedPrompts(judge)
  const empty = byRules ? rateEmpty(goldText, predicted) : null
  if (empty !== null) return empty
  if (goldText === '' || predicted === '') return ratings.oneEmpty
  if (judge.kind === 'none') return ratings.different
  const byRule = byRules ? rateTextByRules(goldText, predicted, column) : null
  return byRule ?? { column, gold: goldText, predicted }
}

/**
 * Asks the judge to rewrite a table under the gold's header, like the first step of the published scorer. Null when
 * the reply contains no table.
 */
async function rewriteUnderHeader(
  goldHeader: readonly string[],
  answer: CsvTable,
  judge: ModelJudge,
  tally: JudgeTally,
): Promise<CsvTable | null> {
  const csv = writeCsv([answer.header, ...answer.rows])
  return await tally.ask(judge, {
    prompt: writeRewritePrompt(csv, goldHeader),
    maxOutputTokens: Math.max(3000, csv.length),
    parse: text => {
      const parsed = parseAnswer(text)
      const isUnderHeader = parsed.status === 'table' && parsed.header.some(name => goldHeader.includes(name))
      return isUnderHeader && (parsed.rows.length > 0 || answer.rows.length === 0) ? parsed : null
    },
  })
}
