import { writeCsv } from '../../text/csv.ts'
import { alignByName, alignByRules } from '../align/align-columns.ts'
import type { Judge, ModelJudge } from '../judge/judge.ts'
import { pickRow } from '../judge/pick-row.ts'
import { rewritePrompt } from '../judge/prompts.ts'
import { aroundTokens, publishedTokens, tableTokens } from '../judge/published-tokens.ts'
import { createTally, type JudgeTally } from '../judge/tally.ts'
import type { CsvTable } from '../pandas/csv.ts'
import { parseAnswer } from '../parse-answer.ts'
import { alignedAnswer } from '../table/aligned-answer.ts'
import { gridOf } from '../table/cell-grid.ts'
import { comparisonOf, comparisonWithout, type RowMatching } from '../table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../table/comparison.ts'
import type { GoldTable } from '../table/gold-table.ts'
import { type RuleVerdict, rateMatched } from '../table/rate-matched.ts'
import { ratings } from '../table/rating.ts'
import { describeRowMatch, matchByJudge } from '../table/row-match.ts'
import { keyNormaliser } from '../text/key-normaliser.ts'
import { rateTextByRules } from '../text/rate-text.ts'
import { cellsAgree, type PreparedTable, prepareTable, targetText } from './aoe-table.ts'
import { createRowMatcher } from './row-matcher.ts'

/**
 * Compares tables as AOE's published scorer does (arXiv 2507.16271, its evaluation code). Known defects of that code
 * are kept: only the first row of a repeated key can be matched, and columns that the gold lacks do not lower cell
 * precision.
 */
export async function compareAsPublished({ gold, answer, judge }: TablesToCompare): Promise<TableComparison> {
  const tally = createTally()
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const table = await underGoldHeader(names, answer, judge, tally)
  if (table === null) return comparisonWithout(gold, ratings.judgeFailed, tally)
  const align = judge.kind === 'rules' ? alignByRules : alignByName
  const aligned = alignedAnswer(gold, table, align(names, table.header))
  const goldReady = prepared(gold, gold.rowCount, name => gold.values.get(name) ?? null)
  const answerReady = prepared(gold, aligned.rowCount, aligned.columnOf)
  const matching = await matchRows(gold, goldReady, answerReady, judge, tally)
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) =>
      rateCell(
        goldReady,
        goldRow,
        answerReady,
        row,
        target,
        gold.targetColumns[target]!,
        judge.kind !== 'none',
      ),
    {
      judge,
      tally,
      allowBatch: false,
      publishedAsks: asksAboutText,
      textsOf: (goldRow, row, target) => {
        const [left, right] = [goldReady.targets[target]!, answerReady.targets[target]!]
        return left.numeric ? ['', ''] : [targetText(left, goldRow), targetText(right, row)]
      },
    },
  )
  return comparisonOf(gold, aligned, matching, rate, tally)
}

function prepared(
  gold: GoldTable,
  rowCount: number,
  columnOf: (name: string) => readonly string[] | null,
): PreparedTable {
  const header = [...gold.keyColumns, ...gold.targetColumns].filter(name => columnOf(name) !== null)
  const columns = header.map(name => columnOf(name)!)
  const grid = gridOf(header, rowCount, (row, column) => columns[column]![row]!)
  return prepareTable(grid, name => header.indexOf(name), gold)
}

/** Whether the published procedure asks its model: it does for every pair of texts that are neither equal nor empty. */
const asksAboutText = (verdict: RuleVerdict): boolean =>
  !('rule' in verdict) || verdict.rule === 'normalised-equal' || verdict.rule === 'list'

/**
 * Has a judge model rewrite the table under the gold's header, unless it already has it. Null when the judge failed.
 */
async function underGoldHeader(
  names: readonly string[],
  answer: CsvTable,
  judge: Judge,
  tally: JudgeTally,
): Promise<CsvTable | null> {
  if (judge.kind === 'none') return answer
  // The prompt and the reply each contain the whole table.
  tally.wouldCall(1, aroundTokens + 2 * tableTokens([answer.header, ...answer.rows]))
  if (judge.kind === 'rules' || names.every(name => answer.header.includes(name))) return answer
  return await rewriteUnderHeader(names, answer, judge, tally)
}

async function matchRows(
  gold: GoldTable,
  goldReady: PreparedTable,
  answer: PreparedTable,
  judge: Judge,
  tally: JudgeTally,
): Promise<RowMatching> {
  const normalise = judge.kind === 'none' ? null : keyNormaliser(gold)
  const matcher = createRowMatcher(goldReady.keyTexts, normalisedKeys(goldReady, normalise))
  const rowOf = new Map<number, number>()
  const listTokens = judge.kind === 'none' ? 0 : tableTokens([goldReady.keyTexts])
  const judgedRows = new Set<number>()
  let failedRows = 0
  for (const [row, key] of answer.keyTexts.entries()) {
    let goldRow = matcher.find(key, normalise === null ? null : () => normalise(keyOf(answer, row)))
    if (goldRow === null && judge.kind !== 'none') tally.wouldCall(1, listTokens + publishedTokens(key))
    if (goldRow === null && judge.kind === 'model') {
      const picked = await pickRow(judge, tally, gold.keyColumns, key, matcher.keyTexts())
      if (picked === null) failedRows += 1
      else if (picked.key !== null) goldRow = matcher.findByText(picked.key)
      if (goldRow !== null) judgedRows.add(row)
    }
    if (goldRow === null) continue
    matcher.take(goldRow)
    rowOf.set(goldRow, row)
  }
  const rowKey = (table: PreparedTable, row: number) => ({
    parts: keyOf(table, row),
    text: table.keyTexts[row]!,
  })
  return {
    rowOf,
    failedRows,
    describe: (goldRow, row) =>
      judgedRows.has(row)
        ? matchByJudge(row)
        : describeRowMatch(row, rowKey(goldReady, goldRow), rowKey(answer, row), normalise),
  }
}

const keyOf = (table: PreparedTable, row: number): string[] => table.keyColumns.map(column => column[row]!)

function normalisedKeys(
  table: PreparedTable,
  normalise: ((key: readonly string[]) => string) | null,
): (() => string[]) | null {
  return normalise === null ? null : () => table.keyTexts.map((_, row) => normalise(keyOf(table, row)))
}

function rateCell(
  gold: PreparedTable,
  goldRow: number,
  answer: PreparedTable,
  row: number,
  target: number,
  column: string,
  byRules: boolean,
): RuleVerdict {
  const left = gold.targets[target]!
  const right = answer.targets[target]!
  if (left.numeric) {
    return cellsAgree(left, goldRow, right, row) ? ratings.numeric : ratings.numericDifferent
  }
  const goldText = targetText(left, goldRow)
  const predicted = targetText(right, row)
  if (goldText === predicted) return goldText === '' ? ratings.bothEmpty : ratings.equal
  if (goldText === '' || predicted === '') return ratings.oneEmpty
  const byRule = byRules ? rateTextByRules(goldText, predicted) : ratings.different
  return byRule ?? { column, gold: goldText, predicted }
}

/**
 * Asks the judge to rewrite a table under the gold's header, like the first step of the published scorer. Null when
 * the reply contains no table.
 */
export async function rewriteUnderHeader(
  goldHeader: readonly string[],
  answer: CsvTable,
  judge: ModelJudge,
  tally: JudgeTally,
): Promise<CsvTable | null> {
  const csv = writeCsv([answer.header, ...answer.rows])
  return await tally.ask(judge, {
    prompt: rewritePrompt(csv, goldHeader),
    maxOutputTokens: Math.max(3000, csv.length),
    parse: text => {
      const parsed = parseAnswer(text)
      return parsed.status === 'table' && (parsed.rows.length > 0 || answer.rows.length === 0) ? parsed : null
    },
  })
}
