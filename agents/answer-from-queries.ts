import type { ContextDocument } from '../src/core/document.ts'
import type { DocumentTable, Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { conclude } from './conclude.ts'
import { cutDocuments } from './cut-documents.ts'
import { asPromptDocument, recordCut } from './offline.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askAll, canThinkAloud, type Exchange, promptSize } from './single-request.ts'
import { hasEnded, listTables, queryTables, type TablesInPrompt } from './table-program.ts'
import type { Ended } from './termination.ts'

/** A question of a conversation about tables. */
export interface TableQuestion {
  /** Its place in the conversation, from 0. */
  readonly turn: number
  readonly earlier: readonly Exchange[]
  readonly tables: readonly DocumentTable[]
  readonly run: AttemptRun
}

/** Chooses what the prompt shows of the tables, or returns the end of the attempt. */
type DescribeTables = (question: TableQuestion) => Promise<TablesInPrompt | Ended>

/**
 * Answers each question of a conversation in two steps: the model writes a query, and then it answers from the results of
 * all queries so far.
 */
export async function answerFromQueries(
  question: Question,
  environment: SettingEnvironment,
  describe: DescribeTables,
): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  const results: ContextDocument[] = []
  const writePrompt = (documents: Parameters<typeof environment.prompts.withDocuments>[1]) =>
    environment.prompts.withDocuments(question, documents, canThinkAloud(environment))
  const concluded = await conclude(run, question, async () => {
    const tables = listTables(await untilAborted(environment.documents(), run.signal))
    const query = async (turn: number, earlier: readonly Exchange[]): Promise<Ended | null> => {
      const described = await describe({ turn, earlier, tables, run })
      if (hasEnded(described)) return described
      const result = await queryTables(run, question, { turn, earlier, tables, ...described })
      if (hasEnded(result)) return result
      results.push(result)
      return null
    }
    const answer = (limit: number | null) => {
      const count = (cut: Parameters<typeof writePrompt>[0]): number =>
        promptSize(environment.model, writePrompt(cut))
      const cut = cutDocuments(results, environment.cutStrategy, limit, documents =>
        count(documents.map(asPromptDocument)),
      )
      recordCut(run, cut)
      const prompt = writePrompt(cut.documents.map(asPromptDocument))
      return { prompt, tokens: () => promptSize(environment.model, prompt) }
    }
    return await askAll(run, question, 'documents', answer, query)
  })
  return { ...concluded, context: null, retrieval: null, chunks: null }
}
