import type { RetrievedChunks } from '../retrieval/retrieval.ts'
import type { Context } from '../src/core/attempt.ts'
import type { Chunk, ContextDocument } from '../src/core/document.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { type ChunkPrompt, contextTokens, fillContext, groupChunks, layOutChunks } from './chunk-prompt.ts'
import { columnQueries } from './column-queries.ts'
import { conclude } from './conclude.ts'
import { modelRelevance, StoppedWhileRating } from './model-relevance.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askAll, promptSize } from './single-request.ts'
import type { Ended } from './termination.ts'
import { turnsOf } from './turns.ts'

/** The cut's name in context and trace: chunks that do not fit the model's window are left out, worst first. */
export const chunksStrategy = 'worst-chunks-out'

/** What is known of the prompt, also where the attempt fails after it. */
type Shown = Pick<SettingOutcome, 'context' | 'retrieval' | 'chunks' | 'retrieved'>

/** Retrieved chunks in one prompt, grouped by their document. */
export async function runRag(question: Question, environment: SettingEnvironment): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  let shown: Shown = { context: null, retrieval: null, chunks: null }
  const concluded = await conclude(
    run,
    question,
    () => answerFromChunks(run, question, now => (shown = now)),
    () => ({ draft: null, forcedFinal: false }),
  )
  return { ...concluded, ...shown }
}

async function answerFromChunks(
  run: AttemptRun,
  question: Question,
  show: (shown: Shown) => void,
): Promise<Ended> {
  const { environment } = run
  const documents = await untilAborted(environment.documents(), run.signal)
  const stated = environment.ragQuery === 'column' ? await columnQueries(run, question) : null
  if (stated?.ended) return stated.ended
  // Without a schema in the model's answer the task's query stands in; the record says what was asked.
  const queries = stated === null || stated.queries.length === 0 ? queriesOfTurns(question) : stated.queries
  const request = { queries, relevance: modelRelevance(run, question) }
  const retrieved = await untilAborted(
    environment.retrieve(documents, run.signal, request),
    run.signal,
  ).catch(endedInstead)
  if ('ended' in retrieved) return retrieved.ended
  const countTokens = (text: string): number => environment.model.countTokens(text)
  const filled = fillContext(retrieved.chunks, environment.contextTokens ?? null, countTokens)
  const promptOf = (layout: ChunkPrompt): PromptMessages =>
    environment.prompts.withDocuments(question, layout.documents, environment.chainOfThought)
  return await askAll(run, question, 'documents', limit => {
    const chunks = fittingChunks(run, documents, filled, limit, promptOf)
    const layout = layOutChunks(documents, chunks)
    show({
      context: recordChunks(run, documents, layout, chunks.length < filled.length),
      retrieval: {
        ...measureChunks(retrieved, documents, chunks, layout),
        queries: [...(queries ?? [question.query])],
        tokensInPrompt: contextTokens(chunks, countTokens),
      },
      chunks,
      retrieved: retrieved.chunks,
    })
    const prompt = promptOf(layout)
    return { prompt, tokens: () => promptSize(environment.model, prompt) }
  })
}

/** A conversation's chunks are retrieved once, for all of its questions. Null: there is one question. */
function queriesOfTurns(question: Question): readonly string[] | null {
  return question.turns === undefined ? null : turnsOf(question).map(({ query }) => query)
}

/** Chunks that the model never rated to the end: the attempt is over. */
function endedInstead(error: unknown): StoppedWhileRating {
  if (error instanceof StoppedWhileRating) return error
  throw error
}

/** The best chunks whose prompt the window holds. */
function fittingChunks(
  run: AttemptRun,
  documents: readonly ContextDocument[],
  chunks: readonly Chunk[],
  limit: number | null,
  promptOf: (layout: ChunkPrompt) => PromptMessages,
): readonly Chunk[] {
  if (limit === null) return chunks
  const holds = (count: number): boolean =>
    promptSize(run.environment.model, promptOf(layOutChunks(documents, chunks.slice(0, count)))) <= limit
  if (holds(chunks.length)) return chunks
  let [fits, over] = [0, chunks.length]
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (holds(middle)) fits = middle
    else over = middle
  }
  return chunks.slice(0, fits)
}

function recordChunks(
  run: AttemptRun,
  documents: readonly ContextDocument[],
  layout: ChunkPrompt,
  wasCut: boolean,
): Context {
  const sizes = documents.map(({ hint, text, problem, ocr = false }) => ({
    hint,
    chars: text.length,
    charsInPrompt: layout.coveredChars.get(hint) ?? 0,
    problem,
    ocr,
  }))
  if (wasCut) {
    const cut = sizes.map(({ hint, chars, charsInPrompt }) => ({ hint, chars, charsInPrompt }))
    run.emit({ type: 'context-cut', strategy: chunksStrategy, documents: cut, shortened: [] })
  }
  return { documents: sizes, cutStrategy: wasCut ? chunksStrategy : null }
}

/** `coverage` is the mean over documents with text of the share of their characters in the prompt; null without any. */
function measureChunks(
  retrieved: RetrievedChunks,
  documents: readonly ContextDocument[],
  chunks: readonly Chunk[],
  layout: ChunkPrompt,
): NonNullable<SettingOutcome['retrieval']> {
  const readable = documents.filter(document => document.text.length > 0)
  const grouped = groupChunks(chunks)
  const shares = readable.map(({ hint, text }) => (layout.coveredChars.get(hint) ?? 0) / text.length)
  return {
    retriever: retrieved.retriever,
    embedder: retrieved.embedder,
    k: retrieved.k,
    chunksInPrompt: chunks.length,
    charsInPrompt: chunks.reduce((sum, chunk) => sum + chunk.text.length, 0),
    coverage: shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
    starvedHints: readable.map(document => document.hint).filter(hint => !grouped.has(hint)),
  }
}
