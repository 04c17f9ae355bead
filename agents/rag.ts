import type { RetrievedChunks } from '../retrieval/retrieval.ts'
import type { Context } from '../src/core/attempt.ts'
import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { type ChunkPrompt, contextTokens, fillContext, groupChunks, layOutChunks } from './chunk-prompt.ts'
import { conclude } from './conclude.ts'
import { modelRelevance, StoppedWhileRating } from './model-relevance.ts'
import { furtherWords } from './prompts/further-words.ts'
import { promptsOfForm } from './prompts/kinds/registry.ts'
import { layOutUser } from './prompts/layout.ts'
import { promptWords } from './prompts/words.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askAll, askModel, canThinkAloud, madeOnce, promptSize } from './single-request.ts'
import type { Ended } from './termination.ts'
import { listTurns } from './turns.ts'

/** The name of the cut in records and traces. Chunks that do not fit the context window are left out, worst first. */
const chunksStrategy = 'worst-chunks-out'

/** The parts of the outcome that describe the prompt. They are recorded even when the attempt fails later. */
interface ShownChunks {
  readonly context: SettingOutcome['context']
  readonly retrieval: SettingOutcome['retrieval']
  readonly chunks: SettingOutcome['chunks']
  readonly retrieved?: NonNullable<SettingOutcome['retrieved']>
}

/** Asks with retrieved chunks in one prompt, grouped by document. */
export async function runRag(question: Question, environment: SettingEnvironment): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  let shown: ShownChunks = { context: null, retrieval: null, chunks: null }
  const concluded = await conclude(run, question, () => answerFromChunks(run, question, now => (shown = now)))
  return { ...concluded, ...shown }
}

async function answerFromChunks(
  run: AttemptRun,
  question: Question,
  show: (shown: ShownChunks) => void,
): Promise<Ended> {
  const { environment } = run
  const documents = await untilAborted(environment.documents(), run.signal)
  const stated = environment.ragQuery === 'column' ? await columnQueries(run, question) : null
  if (stated?.ended) return stated.ended
  // If the model's answer contains no schema, the task's query is used. The record contains the queries.
  const queries = stated === null || stated.queries.length === 0 ? queriesOfTurns(question) : stated.queries
  const request = { queries, relevance: modelRelevance(run, question) }
  const retrieved = await untilAborted(
    environment.retrieve(documents, run.signal, request),
    run.signal,
  ).catch(returnIfStopped)
  if ('ended' in retrieved) return retrieved.ended
  const countTokens = (text: string): number => environment.model.countTokens(text)
  const filled = fillContext(retrieved.chunks, environment.contextTokens ?? null, countTokens)
  const writePrompt = (layout: ChunkPrompt): PromptMessages =>
    environment.prompts.withDocuments(question, layout.documents, canThinkAloud(environment))
  const promptFor = madeOnce(limit => {
    const chunks = fittingChunks(filled, limit, keptChunks =>
      promptSize(environment.model, writePrompt(layOutChunks(documents, keptChunks))),
    )
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
    const prompt = writePrompt(layout)
    return { prompt, tokens: () => promptSize(environment.model, prompt) }
  })
  return await askAll(run, question, 'documents', promptFor)
}

/**
 * Returns the questions of a conversation, whose chunks are retrieved once for all of them; null for a single
 * question.
 */
function queriesOfTurns(question: Question): readonly string[] | null {
  return question.turns === undefined ? null : listTurns(question).map(({ query }) => query)
}

/** Returns the error when the attempt ended while passages were being rated. Other errors are thrown again. */
function returnIfStopped(error: unknown): StoppedWhileRating {
  if (error instanceof StoppedWhileRating) return error
  throw error
}

/** Returns the best chunks whose prompt has at most `limit` tokens. */
function fittingChunks(
  chunks: readonly Chunk[],
  limit: number | null,
  countTokens: (chunks: readonly Chunk[]) => number,
): readonly Chunk[] {
  if (limit === null || countTokens(chunks) <= limit) return chunks
  let [fitting, tooMany] = [0, chunks.length]
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (countTokens(chunks.slice(0, middle)) <= limit) fitting = middle
    else tooMany = middle
  }
  return chunks.slice(0, fitting)
}

function recordChunks(
  run: AttemptRun,
  documents: readonly ContextDocument[],
  layout: ChunkPrompt,
  wasCut: boolean,
): Context {
  const sizes = documents.map(({ hint, text, problem, notices, ocr = false }) => ({
    hint,
    chars: text.length,
    charsInPrompt: layout.coveredChars.get(hint) ?? 0,
    problem,
    ...(notices === undefined ? {} : { notices: [...notices] }),
    ocr,
  }))
  if (wasCut) {
    const cut = sizes.map(({ hint, chars, charsInPrompt }) => ({ hint, chars, charsInPrompt }))
    run.emit({ type: 'context-cut', strategy: chunksStrategy, documents: cut, shortened: [] })
  }
  return { documents: sizes, cutStrategy: wasCut ? chunksStrategy : null }
}

/**
 * Returns the retrieval record. `coverage` is the share of a document's characters in the prompt, averaged over documents
 * with text; null without such documents.
 */
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

/** Stated columns beyond this number are ignored. */
const maxColumns = 40

/**
 * Returns the queries for `--rag-query column`. If the form of the answer defines them, such as one for each field of a
 * schema, these are used. Otherwise the model lists the columns of the answer from the question, and each column becomes a
 * query. The list is empty when the model names no columns. `ended` is set when the provider or the budget ended the
 * attempt during that call.
 */
async function columnQueries(
  run: AttemptRun,
  question: Question,
): Promise<{ queries: readonly string[]; ended: Ended | null }> {
  const queryPrompt = promptsOfForm(question.form).queries(question)
  if (queryPrompt !== null) return { queries: queryPrompt, ended: null }
  run.step++
  const language = choosePromptLanguage(question.language)
  const isNamed = question.documentNames.length > 0
  const { answer, ended } = await askModel(run, {
    system: isNamed ? promptWords[language].stateSchema : furtherWords[language].unnamed.stateSchema,
    user: layOutUser(question, { documents: null, closing: null }),
  })
  return { queries: readColumns(answer.text).map(writeQuery), ended }
}

interface StatedColumn {
  readonly name: string
  readonly about: string
}

/**
 * Reads the columns of a schema block, written as `name:` and `about:` lines or as JSON. Each name is returned once.
 */
export function readColumns(text: string): StatedColumn[] {
  const block = /<schema>([\s\S]*?)(?:<\/schema>|$)/i.exec(text)?.[1] ?? text
  const columns = new Map<string, StatedColumn>()
  let current: string | null = null
  for (const [, field = '', quoted, plain = ''] of block.matchAll(fieldPattern)) {
    const value = (quoted ?? plain).trim()
    if (field.toLowerCase() === 'name') {
      current = value === '' ? null : value
      if (current !== null && !columns.has(current)) columns.set(current, { name: current, about: '' })
    } else if (current !== null && columns.get(current)?.about === '') {
      columns.set(current, { name: current, about: value })
    }
  }
  return [...columns.values()].slice(0, maxColumns)
}

/**
 * Matches `- name: X`, `"name": "X"` and `**name**: X`, on separate lines or on one line, as in `- name: X, about:
 * Y`.
 */
const fieldPattern =
  /(?:^|[\s{,;，；*"'`-])["'`*]*(name|about|description)["'`*]*\s*[:：]\s*(?:"((?:[^"\\]|\\.)*)"|([^\n]*?)(?=\n|$|[,;，；]\s*["'`*]*(?:name|about|description)["'`*]*\s*[:：]))/gi

function writeQuery({ name, about }: StatedColumn): string {
  return about === '' || about === name ? name : `${name}: ${about}`
}
