import { z } from 'zod/v4'
import { isObject } from '../../src/text/json.ts'
import { codexTokensSchema, errorEnd, sumTokens } from './codex-facts.ts'
import { type CodexItem, readItems } from './codex-items.ts'
import { type ForeignAttempt, mapped, type ReadRecord, unmapped, unreportedFields } from './foreign-log.ts'
import { jsonRecords, toReadRecord } from './json-records.ts'
import { optionalText, readText } from './message-parts.ts'

/** A line of `codex exec --json`. It contains neither the question, the model nor times. */
const eventSchema = z.looseObject({
  type: z.string(),
  thread_id: optionalText,
  item: z.looseObject({ id: optionalText, type: z.string() }).nullish().catch(null),
  usage: codexTokensSchema.nullish().catch(null),
  error: z.looseObject({ message: optionalText }).nullish().catch(null),
  message: optionalText,
})
type CodexEvent = z.infer<typeof eventSchema>

const types =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed)|error)$/

/** Whether a record is a line of `codex exec --json`. */
export function isCodexEvent(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string' && types.test(value.type)
}

/** Converts the item of an event to items of a session file. A call with its result becomes two items. */
function toItems({ item }: CodexEvent): CodexItem[] {
  if (item === null || item === undefined) return []
  const fields: Readonly<Record<string, unknown>> = item
  const id = item.id ?? ''
  const call = (name: unknown, args: unknown, output: unknown): CodexItem[] => [
    { type: 'function_call', name, arguments: args, call_id: id, at: null },
    { type: 'function_call_output', call_id: id, output, at: null },
  ]
  switch (item.type) {
    case 'agent_message':
      return [{ type: 'message', role: 'assistant', content: fields.text, at: null }]
    case 'reasoning':
      return [{ type: 'reasoning', content: fields.text, at: null }]
    case 'mcp_tool_call':
      return call(fields.tool, fields.arguments, fields.result ?? fields.error ?? '')
    case 'web_search':
      return [{ type: 'web_search_call', id, action: fields.action ?? { query: fields.query }, at: null }]
    case 'command_execution':
      return call('shell', { command: fields.command }, fields.aggregated_output ?? '')
    default:
      return []
  }
}

/** The failed calls of a session, by id, with the reason. */
function readFailures(events: readonly CodexEvent[]): Map<string, string> {
  const failed = events.flatMap(({ item }) =>
    item?.type === 'mcp_tool_call' && item.status === 'failed' ? [item] : [],
  )
  return new Map(failed.map(item => [item.id ?? '', readText(item.error) ?? 'failed']))
}

function endOfEventStream(events: readonly CodexEvent[]): ForeignAttempt['end'] {
  const last = events.findLast(({ type }) => /^turn\.(?:started|completed|failed)$|^error$/.test(type))
  if (last === undefined || last.type === 'turn.started') return unmapped(null)
  if (last.type === 'turn.completed') return mapped({ cause: 'agent', reason: 'answered' }, last.type)
  return errorEnd(last.error?.message ?? last.message ?? last.type)
}

function convertEvents(events: readonly CodexEvent[]): ForeignAttempt {
  const completedItems = events.filter(({ type }) => type === 'item.completed')
  const messages = readItems(completedItems.flatMap(toItems), readFailures(completedItems))
  const answer = messages.findLast(({ role, text }) => role === 'assistant' && text !== '')
  const usages = events.flatMap(({ usage }) => (usage === null || usage === undefined ? [] : [usage]))
  return {
    ...unreportedFields,
    sourceId: events.find(({ thread_id }) => typeof thread_id === 'string')?.thread_id ?? null,
    messages,
    answerText: answer?.text ?? null,
    end: endOfEventStream(events),
    usage: { modelCalls: null, ...(usages.length === 0 ? {} : sumTokens(usages)) },
  }
}

/** Reads the output of `codex exec --json` as one attempt. */
export async function* codexEvents(path: string): AsyncGenerator<ReadRecord> {
  const events: CodexEvent[] = []
  for await (const record of jsonRecords(path)) {
    if ('problem' in record) {
      yield record
      continue
    }
    const event = eventSchema.safeParse(record.value)
    if (event.success) events.push(event.data)
    else yield { line: record.line, problem: 'not an event of Codex', code: 'unknown-log-record' }
  }
  if (events.length > 0) yield toReadRecord(1, () => convertEvents(events))
}
