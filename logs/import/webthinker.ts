import { basename, dirname } from 'node:path'
import { z } from 'zod/v4'
import { splitThinking } from '../../src/text/thinking.ts'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
  unreportedTurn,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog } from './json-records.ts'
import { optionalId, optionalText, readId, readText } from './message-parts.ts'
import { listExploredPages } from './webthinker-explorer.ts'

/** A question that `scripts/run_web_thinker.py` of WebThinker answered. */
const recordSchema = z.looseObject({
  id: optionalId.catch(null),
  /** The evaluation replaces the question with the whole prompt. */
  Question: z.unknown().optional(),
  Output: z.string(),
  WebExplorer: z
    .array(z.looseObject({ Input: optionalText, Output: optionalText }))
    .nullish()
    .catch(null),
})
type WebThinkerRecord = z.infer<typeof recordSchema>

const result = /<\|begin_search_result\|>([\s\S]*?)<\|end_search_result\|>/
const query = /<\|begin_search_query\|>([\s\S]*?)<\|end_search_query\|>/g

/** Texts that the agent's runner returns in place of a search result. */
const limitReached = 'You have reached the search limit.'
const repeated = 'You have already searched for this query.'

/** A text of the main model, and the result of the search that it asked for; null for the last text. */
interface WebThinkerTurn {
  readonly text: string
  readonly result: string | null
}

/** Splits the output into turns. After a repeated query, the runner adds the word `Okay,`. */
function splitTurns(output: string): WebThinkerTurn[] {
  const parts = output.split(result)
  return parts.flatMap((part, at) => {
    if (at % 2 === 1) return []
    const text = parts[at - 1]?.startsWith(repeated) ? part.replace(/^\s*Okay,/, '') : part
    return [{ text: text.trim(), result: parts[at + 1] ?? null }]
  })
}

const isRefused = (text: string): boolean => text.startsWith(limitReached) || text.startsWith(repeated)

/** The text of a turn without its query. The final text may end its reasoning with a tag. */
function readSpokenText(text: string): string {
  return splitThinking(text.replace(query, '')).text.trim()
}

function readMessages(
  turns: readonly WebThinkerTurn[],
  explored: NonNullable<WebThinkerRecord['WebExplorer']>,
): ForeignMessage[] {
  let searches = 0
  return turns.flatMap((turn, step): ForeignMessage[] => {
    if (turn.text === '') return []
    const id = `call-${step}`
    const searchQuery = [...turn.text.matchAll(query)].at(-1)?.[1]?.trim() ?? ''
    const calls = turn.result === null ? [] : [{ id, name: 'search', args: { query: searchQuery } }]
    const assistantMessage: ForeignMessage = {
      role: 'assistant',
      text: readSpokenText(turn.text),
      calls,
      ...unreportedTurn,
    }
    if (turn.result === null) return [assistantMessage]
    const shown = { role: 'tool', callId: id, tool: 'search', text: turn.result, at: null } as const
    if (isRefused(turn.result)) return [assistantMessage, { ...shown, error: turn.result }]
    const explorer = explored[searches++]
    const texts = [explorer?.Input ?? '', explorer?.Output ?? '']
    return [assistantMessage, { ...shown, error: null, seen: listExploredPages(texts, turn.result) }]
  })
}

function readEnd(turns: readonly WebThinkerTurn[], answer: string): ForeignEnd {
  const shown = turns.at(-2)?.result ?? null
  if (turns.at(-1)?.text === '') {
    if (shown?.startsWith(repeated)) return mapped({ cause: 'agent', reason: 'no-progress' }, repeated, none)
    // The runner continues with an empty text when the model's server fails.
    const words = shown === null ? 'Output is empty' : 'Output ends in a search result'
    return mapped({ cause: 'provider', reason: 'unavailable' }, words)
  }
  const answered = answer !== ''
  const limit = turns.find(turn => turn.result?.startsWith(limitReached))?.result
  if (limit !== undefined && limit !== null)
    return mapped({ cause: 'budget', reason: 'search-calls' }, limit, { forcedFinal: true, answered })
  return answered
    ? mapped({ cause: 'agent', reason: 'answered' }, 'Output ends in a text')
    : unmapped('Output ends in a search query')
}

const none = { answered: false } as const

/** Reads the model from the name of the folder: `BENCHMARK.MODEL.webthinker`. */
function readModelName(path: string): string | null {
  return /^[^.]+\.(.+)\.webthinker$/.exec(basename(dirname(path)))?.[1] ?? null
}

function convertAttempt(record: WebThinkerRecord, { path }: LogPlace): ForeignAttempt {
  const id = readId(record.id)
  const turns = splitTurns(record.Output)
  const answer = readSpokenText(turns.at(-1)?.text ?? '')
  const searches = turns.filter(turn => turn.result !== null && !isRefused(turn.result))
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    question: readText(record.Question),
    model: readModelName(path),
    messages: readMessages(turns, record.WebExplorer ?? []),
    answerText: answer,
    end: readEnd(turns, answer),
    usage: {
      modelCalls: turns.filter(turn => turn.text !== '').length,
      searchCalls: searches.length,
      // Each search starts an explorer that opens pages. The record does not count them.
      fetchCalls: null,
    },
  }
}

/** Reads WebThinker's results, a list in one JSON file: Question, Output, WebExplorer. */
export const readWebThinker: ReadLog = path =>
  readJsonLog(path, recordSchema, ['Output', 'WebExplorer'], convertAttempt)
