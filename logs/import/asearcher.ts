import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  type SeenPage,
  unmapped,
  unreportedFields,
  unreportedTurn,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { optionalId, optionalText, readId, readText } from './message-parts.ts'

const texts = z.array(z.string().catch('')).nullish().catch(null)

const eventSchema = z.looseObject({
  type: optionalText,
  text: optionalText,
  tool_calls: z
    .array(z.looseObject({ type: optionalText, query: optionalText, url: optionalText }))
    .nullish()
    .catch(null),
  query: optionalText,
  documents: texts,
  urls: texts,
  url: optionalText,
  page: z.unknown().optional(),
})
type Event = z.infer<typeof eventSchema>

/** A line of ASearcher's evaluation. */
const recordSchema = z.looseObject({
  id: optionalId,
  question: optionalText,
  history: z.array(eventSchema),
  running: z.boolean().nullish().catch(null),
  pred_answer: z.string().nullish(),
  error: z.unknown().optional(),
})
type AsearcherRecord = z.infer<typeof recordSchema>

function readEnd({ error, running, pred_answer: answer }: AsearcherRecord): ForeignEnd {
  const words = readText(error)
  if (words !== null && words !== '') return mapped({ cause: 'harness', reason: 'crash' }, words)
  if ((answer ?? '').trim() !== '') return mapped({ cause: 'agent', reason: 'answered' }, 'pred_answer')
  return running === true
    ? mapped({ cause: 'budget', reason: 'model-calls' }, 'running: true')
    : unmapped(null)
}

/** Search results have addresses and texts in two lists. */
function readHits({ documents, urls }: Event): SeenPage[] {
  return (documents ?? []).map((snippet, at) => ({
    kind: 'hit',
    url: urls?.[at] ?? null,
    title: '',
    snippet,
  }))
}

/** Builds the messages. Results belong to the calls in order. A result without a call gets an id of its own. */
function readMessages(history: readonly Event[]): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  const waiting: ForeignCall[] = []
  for (const [index, event] of history.entries()) {
    if (event.type === 'llm_response') {
      const calls = (event.tool_calls ?? []).flatMap((call, at): ForeignCall[] => {
        const id = `call-${index}-${at}`
        if (call.type === 'search') return [{ id, name: 'search', args: { query: call.query ?? '' } }]
        return call.type === 'access' ? [{ id, name: 'access', args: { url: call.url ?? '' } }] : []
      })
      waiting.push(...calls)
      messages.push({ role: 'assistant', text: event.text ?? '', calls, ...unreportedTurn })
    } else if (event.type === 'search_result' || event.type === 'page_access') {
      const tool = event.type === 'search_result' ? 'search' : 'access'
      const page = readText(event.page) ?? ''
      const at = waiting.findIndex(call => call.name === tool)
      const [call] = at === -1 ? [] : waiting.splice(at, 1)
      const pages: SeenPage[] =
        tool === 'search'
          ? readHits(event)
          : page === ''
            ? []
            : [{ kind: 'page', url: event.url ?? '', text: page }]
      messages.push({
        role: 'tool',
        callId: call?.id ?? `result-${index}`,
        tool,
        text: tool === 'search' ? (event.documents ?? []).join('\n\n') : page,
        error: tool === 'access' && page === '' ? 'no page' : null,
        at: null,
        seen: pages,
      })
    }
  }
  return messages
}

function convertAttempt(record: AsearcherRecord): ForeignAttempt {
  const id = readId(record.id)
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    question: record.question ?? null,
    messages: readMessages(record.history),
    answerText: record.pred_answer ?? null,
    end: readEnd(record),
  }
}

/** Reads ASearcher's JSON lines: id, question, history, running, pred_answer, error. */
export const readASearcher: ReadLog = path =>
  readJsonLog(path, recordSchema, ['history', 'pred_answer'], convertAttempt)
