import { tableFormatNames, writeTables } from '../../../retrieval/table-formats/formats.ts'
import { readGoldAnswer } from '../../../tasks/longtablebench/gold-answer.ts'
import { readLongTableGold } from '../../../tasks/longtablebench/load.ts'
import type { CountTableTokens } from '../../../tasks/longtablebench/make/fill-tier.ts'
import {
  type MadeAnswer,
  type MadeTasks,
  type MakeLongTableBench,
  makeLongTableBench as make,
} from '../../../tasks/longtablebench/make/make.ts'
import { scoreLongTable } from '../../../tasks/longtablebench/metric.ts'
import { loadTokenCounter } from '../../models/token-count.ts'

/** Makes tasks of LongTableBench whose sizes are counted in tokens, and whose answers score 100. */
export async function makeLongTableBench(
  options: Omit<MakeLongTableBench, 'count' | 'scoresFully'>,
): Promise<MadeTasks> {
  return await make({ ...options, count: await makeTableTokenCounter(), scoresFully })
}

/**
 * Whether an answer scores 100 by LongTableBench's scorer. It reads some values of tables as something else, such as
 * `None` and texts with `<…>`.
 */
function scoresFully(answer: MadeAnswer): boolean {
  const { references, scoring } = readLongTableGold(answer)
  return scoreLongTable(readGoldAnswer(scoring.answer), references[0]!)?.f1 === 1
}

/** Loads a function that counts the tokens of tables in the serialisation with the most tokens. */
async function makeTableTokenCounter(): Promise<CountTableTokens> {
  const countTokens = await loadTokenCounter()
  const formats = tableFormatNames.filter(name => !name.includes(':'))
  return tables => {
    // The format with the most tokens is among the longest two texts.
    const texts = formats.map(format => writeTables(tables, format)).sort((a, b) => b.length - a.length)
    return Math.max(...texts.slice(0, 2).map(countTokens))
  }
}
