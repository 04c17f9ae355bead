import { z } from 'zod'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unsaid,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { readArguments, readContent } from './message-parts.ts'

const count = z.int().min(0).nullish()

/** A run file of BrowseComp-Plus, one a query: `search_agent/*_client.py`. */
const recordSchema = z.looseObject({
  metadata: z.looseObject({ model: z.string().nullish() }).nullish(),
  query_id: z.union([z.string(), z.number()]).nullish(),
  tool_call_counts: z.record(z.string(), z.int().min(0)).nullish(),
  usage: z
    .looseObject({
      input_tokens: count,
      input_tokens_cached: count,
      output_tokens: count,
      included_reasoning_tokens: count,
    })
    .nullish(),
  status: z.string(),
  incomplete_details: z.union([z.string(), z.looseObject({ reason: z.string().nullish() })]).nullish(),
  incomplete_reason: z.string().nullish(),
  result: z.array(
    z.looseObject({
      type: z.string(),
      tool_name: z.string().nullish(),
      arguments: z.unknown().optional(),
      output: z.unknown().optional(),
    }),
  ),
})
type RunRecord = z.infer<typeof recordSchema>

function reasonOf({ incomplete_details: details, incomplete_reason: reason }: RunRecord): string | null {
  return reason ?? (typeof details === 'string' ? details : (details?.reason ?? null))
}

function endOf(record: RunRecord): ForeignEnd {
  const { status } = record
  const reason = reasonOf(record)
  const words = reason === null ? status : `${status}: ${reason}`
  if (status === 'completed') return mapped({ cause: 'agent', reason: 'answered' }, words)
  if (status !== 'incomplete') return unmapped(words)
  switch (reason) {
    case 'max_output_tokens':
    case 'max_tokens':
      return mapped({ cause: 'budget', reason: 'output-limit' }, words, { answered: true })
    case 'content_filter':
      return mapped({ cause: 'provider', reason: 'content-filter' }, words)
    case 'max_iterations':
      return mapped({ cause: 'budget', reason: 'model-calls' }, words)
    default:
      return unmapped(words)
  }
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output
  return Array.isArray(output)
    ? readContent(output).text
    : output === null
      ? ''
      : (JSON.stringify(output) ?? '')
}

/** A model's turn is what it thought and said up to its calls; the calls' outputs stand with them. */
function messagesOf(result: RunRecord['result']): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let said = { text: [] as string[], reasoning: [] as string[] }
  let calls: { call: ForeignCall; output: string | null }[] = []
  const close = (): void => {
    if (said.text.length + said.reasoning.length + calls.length === 0) return
    messages.push({
      role: 'assistant',
      text: said.text.join('\n'),
      reasoning: said.reasoning.length === 0 ? null : said.reasoning.join('\n'),
      calls: calls.map(({ call }) => call),
      malformed: [],
      finishReason: null,
      usage: null,
      at: null,
    })
    for (const { call, output } of calls) {
      const error = output === null ? 'no output' : null
      messages.push({
        role: 'tool',
        callId: call.id,
        tool: call.name,
        text: output ?? '',
        error,
        at: null,
      })
    }
    said = { text: [], reasoning: [] }
    calls = []
  }
  for (const [index, item] of result.entries()) {
    if (item.type === 'tool_call') {
      const call = {
        id: `call-${index}`,
        name: item.tool_name ?? 'unnamed',
        args: readArguments(item.arguments),
      }
      const failed = item.output === null || item.output === undefined
      calls.push({ call, output: failed ? null : textOf(item.output) })
      continue
    }
    if (calls.length > 0) close()
    ;(item.type === 'reasoning' ? said.reasoning : said.text).push(textOf(item.output))
  }
  close()
  return messages
}

function attemptOf(record: RunRecord): ForeignAttempt {
  const last = record.result.at(-1)
  const id = record.query_id === null || record.query_id === undefined ? null : String(record.query_id)
  const counts = record.tool_call_counts ?? null
  return {
    ...unsaid,
    sourceId: id,
    taskId: id,
    model: record.metadata?.model ?? null,
    messages: messagesOf(record.result),
    answerText: last?.type === 'output_text' ? textOf(last.output) : null,
    end: endOf(record),
    usage: {
      inputTokens: record.usage?.input_tokens ?? null,
      cachedInputTokens: record.usage?.input_tokens_cached ?? null,
      outputTokens: record.usage?.output_tokens ?? null,
      reasoningTokens: record.usage?.included_reasoning_tokens ?? null,
      // What is one call of the model is not told: turns without a thought run into one another.
      modelCalls: null,
      searchCalls: counts === null ? null : (counts.search ?? 0),
      fetchCalls: counts === null ? null : (counts.get_document ?? 0),
    },
  }
}

/** BrowseComp-Plus's run files: query_id, tool_call_counts, usage, status, result. */
export const readBrowseCompPlus: ReadLog = path => readJsonLog(path, recordSchema, attemptOf)
