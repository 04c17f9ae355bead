import { z } from 'zod/v4'
import { type AttemptEnd, endSchema } from '../../src/core/termination.ts'
import { sumOrNull } from './call-usage.ts'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
  unreportedTurn,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { countOrUnknown, optionalId, readArguments, readId, readText } from './message-parts.ts'
import { tongyiEnd } from './tongyi.ts'
import { guessToolKind } from './tool-kinds.ts'

/** A run file of BrowseComp-Plus, one per query: `search_agent/*_client.py`. */
const recordSchema = z.looseObject({
  metadata: z.looseObject({ model: z.string().nullish() }).nullish(),
  query_id: optionalId,
  tool_call_counts: z.record(z.string(), countOrUnknown).nullish().catch(null),
  usage: z
    .looseObject({
      input_tokens: countOrUnknown,
      input_tokens_cached: countOrUnknown,
      output_tokens: countOrUnknown,
      included_reasoning_tokens: countOrUnknown,
    })
    .nullish(),
  status: z.string().nullish(),
  incomplete_details: z.union([z.string(), z.looseObject({ reason: z.string().nullish() })]).nullish(),
  incomplete_reason: z.string().nullish(),
  result: z
    .array(
      z.looseObject({
        type: z.string().nullish(),
        tool_name: z.string().nullish(),
        arguments: z.unknown().optional(),
        output: z.unknown().optional(),
      }),
    )
    .nullish(),
})
type BrowseCompRecord = z.infer<typeof recordSchema>
type ResultItem = NonNullable<BrowseCompRecord['result']>[number]

function incompleteReason({
  incomplete_details: details,
  incomplete_reason: reason,
}: BrowseCompRecord): string | null {
  return reason ?? (typeof details === 'string' ? details : (details?.reason ?? null))
}

/** Ends by status. The clients of Anthropic and Gemini write the model's stop reason as the status. */
const statusEnds: Readonly<Record<string, AttemptEnd>> = {
  completed: { cause: 'agent', reason: 'answered' },
  end_turn: { cause: 'agent', reason: 'answered' },
  stop_sequence: { cause: 'agent', reason: 'answered' },
  refusal: { cause: 'agent', reason: 'refused' },
  max_tokens: { cause: 'budget', reason: 'output-limit' },
  MAX_TOKENS: { cause: 'budget', reason: 'output-limit' },
  SAFETY: { cause: 'provider', reason: 'content-filter' },
}

/** Ends of an incomplete response, by the reason that OpenAI's client reports. */
const incompleteEnds: Readonly<Record<string, AttemptEnd>> = {
  max_output_tokens: { cause: 'budget', reason: 'output-limit' },
  max_tokens: { cause: 'budget', reason: 'output-limit' },
  content_filter: { cause: 'provider', reason: 'content-filter' },
  max_iterations: { cause: 'budget', reason: 'model-calls' },
}

function readEnd(record: BrowseCompRecord): ForeignEnd {
  const status = record.status ?? null
  if (status === null) return unmapped(incompleteReason(record))
  const reason = incompleteReason(record)
  const words = reason === null ? status : `${status}: ${reason}`
  // Run files that Tablehunt exports have its own termination.
  const [cause, why] = status.split('/')
  const exportedEnd = endSchema.safeParse({ cause, reason: why })
  if (exportedEnd.success)
    return mapped(exportedEnd.data, words, {
      answered: exportedEnd.data.cause === 'budget' || why === 'answered',
    })
  const end = status === 'incomplete' ? incompleteEnds[reason ?? ''] : statusEnds[status]
  // Tongyi's client writes Tongyi's own terminations.
  if (end === undefined) return status === 'incomplete' ? unmapped(words) : tongyiEnd(words)
  // An answer that reached the limit is cut off, but it counts as an answer.
  return mapped(end, words, {
    answered: end.reason === 'output-limit' || (end.cause === 'agent' && end.reason !== 'refused'),
  })
}

interface ItemsOfTurn {
  readonly text: string[]
  readonly reasoning: string[]
  readonly calls: { call: ForeignCall; output: string | null }[]
}

/**
 * Builds the messages. One turn of the model contains its text, its reasoning and the calls that follow. Tool
 * outputs come after it.
 */
function readMessages(result: readonly ResultItem[]): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let turn: ItemsOfTurn = { text: [], reasoning: [], calls: [] }
  const endTurn = (): void => {
    if (turn.text.length + turn.reasoning.length + turn.calls.length > 0) messages.push(...turnMessages(turn))
    turn = { text: [], reasoning: [], calls: [] }
  }
  for (const [index, item] of result.entries()) {
    if (item.type === 'tool_call') {
      const call = {
        id: `call-${index}`,
        name: item.tool_name ?? 'unnamed',
        args: readArguments(item.arguments),
      }
      turn.calls.push({ call, output: readText(item.output) })
      continue
    }
    if (turn.calls.length > 0) endTurn()
    const texts = item.type === 'reasoning' ? turn.reasoning : turn.text
    texts.push(readText(item.output) ?? '')
  }
  endTurn()
  return messages
}

function turnMessages({ text, reasoning, calls }: ItemsOfTurn): ForeignMessage[] {
  return [
    {
      role: 'assistant',
      text: text.join('\n'),
      calls: calls.map(({ call }) => call),
      ...unreportedTurn,
      reasoning: reasoning.length === 0 ? null : reasoning.join('\n'),
    },
    ...calls.map(({ call, output }) => ({
      role: 'tool' as const,
      callId: call.id,
      tool: call.name,
      text: output ?? '',
      error: output === null ? 'no output' : null,
      at: null,
    })),
  ]
}

/** Returns the text after the last call; null when the record ends with a call or with reasoning only. */
function findAnswer(result: readonly ResultItem[]): string | null {
  const lastItems = result.slice(result.findLastIndex(item => item.type === 'tool_call') + 1)
  const texts = lastItems.filter(item => item.type === 'output_text').map(item => readText(item.output) ?? '')
  if (texts.length === 0) return null
  const text = texts.join('\n')
  // Search-R1's client writes the whole output of the model, with the answer in tags.
  return /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1]?.trim() ?? text
}

/**
 * Counts the calls of one kind of tool. Tools missing from the log's counts were not called. Returns null when a
 * count is unreadable.
 */
function countCalls(counts: BrowseCompRecord['tool_call_counts'], kind: 'search' | 'fetch'): number | null {
  if (counts === null || counts === undefined) return null
  const countsOfKind = Object.entries(counts).filter(([name]) => guessToolKind(name) === kind)
  return sumOrNull(countsOfKind.map(([, count]) => count))
}

function convertAttempt(record: BrowseCompRecord): ForeignAttempt {
  const result = record.result ?? []
  const id = readId(record.query_id)
  const answer = findAnswer(result)
  const end = readEnd(record)
  return {
    ...unreportedFields,
    sourceId: id,
    taskId: id,
    model: record.metadata?.model ?? null,
    messages: readMessages(result),
    answerText: answer,
    // The log contains no reason. The last text of the model is used instead.
    end: end.cause === 'unknown' ? { ...end, answered: answer !== null } : end,
    usage: {
      inputTokens: record.usage?.input_tokens ?? null,
      cachedInputTokens: record.usage?.input_tokens_cached ?? null,
      outputTokens: record.usage?.output_tokens ?? null,
      reasoningTokens: record.usage?.included_reasoning_tokens ?? null,
      // The log does not delimit model calls, so turns without reasoning cannot be distinguished.
      modelCalls: null,
      searchCalls: countCalls(record.tool_call_counts, 'search'),
      fetchCalls: countCalls(record.tool_call_counts, 'fetch'),
    },
  }
}

/** Reads BrowseComp-Plus run files: query_id, tool_call_counts, usage, status, result. */
export const readBrowseCompPlus: ReadLog = path =>
  readJsonLog(path, recordSchema, ['status', 'result', 'tool_call_counts'], convertAttempt)
