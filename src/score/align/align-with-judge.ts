import type { Judge, ModelJudge } from '../contract/judge.ts'
import { columnPrompt } from '../judge/prompts.ts'
import { publishedTokens, tableTokens } from '../judge/published-tokens.ts'
import { readJsonObject } from '../judge/read-reply.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { type Alignment, alignByName, alignByRules } from './align-columns.ts'

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
  tally.wouldCall(1, publishedTokens() + tableTokens([goldNames, header]))
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
    prompt: columnPrompt(gold, header),
    maxOutputTokens: 200 + 60 * gold.length,
    parse: text => readColumns(text, gold, header),
  })
}

/** Reads the judge's reply. Null unless every value is a column of the answer or null, and no column is used twice. */
function readColumns(
  text: string,
  gold: readonly string[],
  header: readonly string[],
): Map<string, string> | null {
  const object = readJsonObject(text)
  if (object === null) return null
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
