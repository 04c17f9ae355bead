import { writeCsv } from '../../core/csv.ts'
import type { ModelJudge } from '../judge/judge.ts'
import { rewritePrompt } from '../judge/prompts.ts'
import type { JudgeTally } from '../judge/tally.ts'
import type { CsvTable } from '../pandas/csv.ts'
import { parseAnswer } from '../parse-answer.ts'

/**
 * Has the judge write a table anew under the gold's header, as the published scorer's first step does.
 * Null where no table in form came back.
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
