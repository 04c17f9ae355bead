import { type Alignment, alignByName, alignByRules } from '../align/align-columns.ts'
import { type Judge, type ModelJudge, usesPublishedPrompts } from '../contract/judge.ts'
import { writeColumnPrompt } from '../judge/prompts.ts'
import { estimatePublishedTokens, estimateTableTokens } from '../judge/published-tokens.ts'
import { readJsonObject } from '../judge/read-reply.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { type AlignedAnswer, alignAnswer } from './aligned-answer.ts'
import type { TablesToCompare } from './comparison.ts'
import type { OpenCell } from './judge-cells.ts'
import { rewriteAsPublished } from './published-texts.ts'
import { makeRawAnswer, makeRawGold, type RawTable } from './raw-table.ts'

/** Names at least this similar (equal except for their form, or synonyms) need no judge. */
const sure = 0.9

/**
 * Aligns columns by equal name without a judge, or by rules. With a judge model, rules decide the clear cases
 * and the judge decides the rest.
 *
 * @returns null when the judge failed
 */
export async function alignWithJudge(
  goldNames: readonly string[],
  header: readonly string[],
  judge: Judge,
  tally: JudgeTally,
): Promise<Alignment | null> {
  if (judge.kind === 'none') return alignByName(goldNames, header)
  tally.wouldCall(1, estimatePublishedTokens() + estimateTableTokens([goldNames, header]))
  if (judge.kind === 'rules') return alignByRules(goldNames, header)
  const settled = alignByRules(goldNames, header, sure)
  const openGold = goldNames.filter((_, i) => settled[i] === null)
  const openHeader = header.filter((_, i) => !settled.includes(i))
  if (openGold.length === 0 || openHeader.length === 0) return settled
  const answered = await askForColumns(openGold, openHeader, judge, tally)
  if (answered === null) return null
  return goldNames.map((name, i) => {
    const predicted = answered.get(name)
    return settled[i] ?? (predicted === undefined ? null : header.indexOf(predicted))
  })
}

async function askForColumns(
  gold: readonly string[],
  header: readonly string[],
  judge: ModelJudge,
  tally: JudgeTally,
): Promise<Map<string, string> | null> {
  return await tally.ask(judge, {
    prompt: writeColumnPrompt(gold, header),
    maxOutputTokens: 200 + 60 * gold.length,
    parse: text => readColumns(text, gold, header),
  })
}

/**
 * Reads the judge's reply. Null unless it names a column of the gold, every value is a column of the answer or null, and no
 * column is used twice.
 */
function readColumns(
  text: string,
  gold: readonly string[],
  header: readonly string[],
): Map<string, string> | null {
  const object = readJsonObject(text)
  if (object === null || !gold.some(name => Object.hasOwn(object, name))) return null
  const columns = new Map<string, string>()
  const usedColumns = new Set<string>()
  for (const name of gold) {
    const value = Object.hasOwn(object, name) ? object[name] : null
    if (value === null) continue
    if (typeof value !== 'string' || !header.includes(value) || usedColumns.has(value)) return null
    columns.set(name, value)
    usedColumns.add(value)
  }
  return columns
}

/** Gold and answer under the same columns, for scorers that compare values as written. */
export interface RawTables {
  readonly alignment: Alignment
  readonly aligned: AlignedAnswer
  readonly gold: RawTable
  readonly answer: RawTable
  /** Two matched cells. */
  cellAt(goldRow: number, row: number, target: number): OpenCell
}

/**
 * Aligns the answer's columns with the gold's.
 *
 * @param readsMarks whether the marks of sources in the answer are left out
 * @returns null when the judge failed
 */
export async function alignRawTables(
  tables: TablesToCompare,
  tally: JudgeTally,
  readsMarks: boolean,
): Promise<RawTables | null> {
  const { gold, judge } = tables
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const answer = usesPublishedPrompts(judge) ? await rewriteAsPublished(tables, judge, tally) : tables.answer
  if (answer === null) return null
  const alignment = usesPublishedPrompts(judge)
    ? alignByName(names, answer.header)
    : await alignWithJudge(names, answer.header, judge, tally)
  if (alignment === null) return null
  const aligned = alignAnswer(gold, answer, alignment)
  const [left, right] = [makeRawGold(gold), makeRawAnswer(gold, aligned, readsMarks)]
  return {
    alignment,
    aligned,
    gold: left,
    answer: right,
    cellAt: (goldRow, row, target) => ({
      column: gold.targetColumns[target]!,
      gold: left.targets[target]![goldRow]!,
      predicted: right.targets[target]![row]!,
    }),
  }
}
