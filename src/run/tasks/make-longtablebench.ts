import { tableFormatNames, tablesText } from '../../../retrieval/table-formats/formats.ts'
import type { CountTableTokens } from '../../../tasks/make-longtablebench/fill-tier.ts'
import { loadTokenCounter } from '../../models/token-count.ts'

export { makeLongTableBench } from '../../../tasks/make-longtablebench/make.ts'

/** Loads a function that counts the tokens of tables in the serialisation with the most tokens. */
export async function longestTableTokens(): Promise<CountTableTokens> {
  const countTokens = await loadTokenCounter()
  const formats = tableFormatNames.filter(name => !name.includes(':'))
  return tables => {
    // The format with the most tokens is among the longest two texts.
    const texts = formats.map(format => tablesText(tables, format)).sort((a, b) => b.length - a.length)
    return Math.max(...texts.slice(0, 2).map(countTokens))
  }
}
