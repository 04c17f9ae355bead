import { basename } from 'node:path'
import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignEnd,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog } from './json-records.ts'
import { optionalId, readId, readText } from './message-parts.ts'
import { findProviderFailure } from './provider-words.ts'

/** A line that `tests/extract_langsmith_data.py` of open_deep_research writes. */
const recordSchema = z.looseObject({
  id: optionalId,
  prompt: z.unknown().optional(),
  article: z.unknown().optional(),
})
type DeepResearchRecord = z.infer<typeof recordSchema>

/** When the model that writes reports fails, the article contains this text and an error. */
const failure = 'Error generating final report: '

/** The agent retries the report only after it exceeded a token limit. */
const tooLong = /^Maximum retries exceeded/

function readEnd(article: string): ForeignEnd {
  if (article.trim() === '') return unmapped(null)
  if (!article.startsWith(failure)) return mapped({ cause: 'agent', reason: 'answered' }, 'article')
  const words = article.slice(failure.length)
  if (tooLong.test(words)) return mapped({ cause: 'budget', reason: 'context-window' }, article)
  const end = findProviderFailure(words)
  return end === null ? unmapped(article) : mapped(end, article)
}

/** Reads the model from the name of the file: `deep_research_bench_MODEL.jsonl`. */
function readModelName(path: string): string | null {
  return /^deep_research_bench_(.+?)\.jsonl?(?:\.gz|\.zst)?$/.exec(basename(path))?.[1] ?? null
}

function convertAttempt(record: DeepResearchRecord, { path }: LogPlace): ForeignAttempt {
  const id = readId(record.id)
  const article = readText(record.article) ?? ''
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    question: readText(record.prompt),
    model: readModelName(path),
    answerText: article,
    end: readEnd(article),
  }
}

/** Reads the results of open_deep_research, JSON lines: id, prompt, article. */
export const readOpenDeepResearch: ReadLog = path =>
  readJsonLog(path, recordSchema, ['article'], convertAttempt)
