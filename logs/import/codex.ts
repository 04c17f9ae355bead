import type { AttemptEnd } from '../../src/core/termination.ts'
import { isObject } from '../../src/text/json.ts'
import { codexEvents, isCodexEvent } from './codex-events.ts'
import { type CodexTokens, codexTokensSchema, errorEnd, sumTokens } from './codex-facts.ts'
import { type CodexItem, readItems } from './codex-items.ts'
import {
  type ForeignAttempt,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  type ReadRecord,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { firstRecord, jsonRecords, toReadRecord } from './json-records.ts'
import { millisecondsBetween, readContent, readTime } from './message-parts.ts'

/** One line of a session, without its envelope. */
interface SessionLine {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: string | null
}

const itemTypes = /^(?:message|reasoning|.*_call|.*_call_output)$/

/** Reads a line of a session. Version 0.20 and older write items without an envelope. */
function readSessionLine(value: unknown): SessionLine | null {
  if (!isObject(value)) return null
  const at = typeof value.timestamp === 'string' ? readTime(value.timestamp) : null
  const { type, payload } = value
  if (typeof type === 'string' && isObject(payload)) return { type, payload, at }
  if (typeof type === 'string' && itemTypes.test(type)) return { type: 'response_item', payload: value, at }
  if (typeof value.id === 'string' && type === undefined) return { type: 'session_meta', payload: value, at }
  return value.record_type === undefined ? null : { type: 'state', payload: value, at }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Finds the question of the user among the messages that the program adds. */
function findQuestion(lines: readonly SessionLine[], messages: readonly ForeignMessage[]): string | null {
  for (const { type, payload } of lines) {
    if (type !== 'event_msg') continue
    if (payload.type === 'user_message' && typeof payload.message === 'string') return payload.message
    const { item } = payload
    if (payload.type === 'item_completed' && isObject(item) && item.type === 'UserMessage')
      return readContent(item.content).text
  }
  return messages.find(({ role, text }) => role === 'user' && !/^\s*<\w+>/.test(text))?.text ?? null
}

const abortEnds: Readonly<Record<string, AttemptEnd>> = {
  interrupted: { cause: 'operator', reason: 'cancelled' },
  budget_limited: { cause: 'budget', reason: 'tokens' },
}

/** The last end that the session's events report; null in versions without `task_complete`. */
function endOfEvents(lines: readonly SessionLine[]): ForeignEnd | null {
  const ends = lines.filter(
    ({ type, payload }) =>
      type === 'event_msg' &&
      ['task_complete', 'turn_complete', 'turn_aborted', 'task_started', 'turn_started'].includes(
        String(payload.type),
      ),
  )
  const last = ends.at(-1)?.payload
  if (last === undefined) return null
  if (last.type === 'turn_aborted') {
    const reason = text(last.reason) ?? ''
    const end = abortEnds[reason]
    return end === undefined ? unmapped(`turn_aborted: ${reason}`) : mapped(end, `turn_aborted: ${reason}`)
  }
  if (last.type === 'task_started' || last.type === 'turn_started') return unmapped(null)
  if (isObject(last.error)) return errorEnd(text(last.error.message) ?? '', last.error.codex_error_info)
  return mapped({ cause: 'agent', reason: 'answered' }, 'task_complete')
}

function sessionEnd(lines: readonly SessionLine[], messages: readonly ForeignMessage[]): ForeignEnd {
  const reportedEnd = endOfEvents(lines)
  if (reportedEnd !== null) return reportedEnd
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.calls.length === 0 && last.text.trim() !== ''
    ? mapped({ cause: 'agent', reason: 'answered' }, 'the last message is from the assistant')
    : unmapped(null)
}

/** The answer: the last message in `task_complete`, else the last text of the assistant. */
function findAnswer(lines: readonly SessionLine[], messages: readonly ForeignMessage[]): string | null {
  const completions = lines.filter(
    ({ type, payload }) => type === 'event_msg' && payload.type === 'task_complete',
  )
  const lastMessage = text(completions.at(-1)?.payload.last_agent_message)
  if (lastMessage !== null) return lastMessage
  return messages.findLast(({ role, text }) => role === 'assistant' && text.trim() !== '')?.text ?? null
}

/** Newer versions write one usage record per call. Older versions repeat running totals. */
function readUsage(lines: readonly SessionLine[]): ForeignAttempt['usage'] {
  const records = lines.flatMap(({ type, payload }) => {
    const parsed = type === 'token_usage_record' ? codexTokensSchema.safeParse(payload.usage) : null
    return parsed?.success === true ? [parsed.data] : []
  })
  if (records.length > 0) return { modelCalls: records.length, ...sumTokens(records) }
  const totals = new Map<number, CodexTokens>()
  for (const { type, payload } of lines) {
    if (type !== 'event_msg' || payload.type !== 'token_count' || !isObject(payload.info)) continue
    const parsed = codexTokensSchema.safeParse(payload.info.total_token_usage)
    // After an overflow of the context, the last total contains zeros.
    if (!parsed.success || (parsed.data.input_tokens ?? 0) === 0) continue
    totals.set(parsed.data.total_tokens ?? 0, parsed.data)
  }
  const last = [...totals.values()].at(-1)
  return last === undefined ? { modelCalls: null } : { modelCalls: totals.size, ...sumTokens([last]) }
}

function convertSession(lines: readonly SessionLine[]): ForeignAttempt {
  const items = lines.flatMap(({ type, payload, at }): CodexItem[] =>
    type === 'response_item' ? [{ ...payload, at }] : [],
  )
  const messages = readItems(items, failedCalls(lines))
  const meta = lines.find(({ type }) => type === 'session_meta')?.payload
  const model = lines.findLast(({ type }) => type === 'turn_context')?.payload.model
  const times = lines.flatMap(({ at }) => at ?? [])
  const [startedAt = null, endedAt = null] = [times[0], times.at(-1)]
  const isTimed = lines.some(({ type, at }) => type !== 'session_meta' && at !== null)
  return {
    ...unreportedFields,
    sourceId: text(meta?.id),
    question: findQuestion(lines, messages),
    model: text(model),
    messages,
    answerText: findAnswer(lines, messages),
    end: sessionEnd(lines, messages),
    usage: { ...readUsage(lines), wallMs: isTimed ? millisecondsBetween(startedAt, endedAt) : null },
    startedAt,
    endedAt: isTimed ? endedAt : null,
  }
}

/** The ids of MCP calls that failed, with the reason. */
function failedCalls(lines: readonly SessionLine[]): ReadonlyMap<string, string> {
  const failed = new Map<string, string>()
  for (const { type, payload } of lines) {
    const { item } = payload
    if (type !== 'event_msg' || !isObject(item) || item.type !== 'McpToolCall') continue
    const isError = isObject(item.result) && item.result.isError === true
    if (item.status === 'failed' || isError) failed.set(String(item.id), text(item.error) ?? 'failed')
  }
  return failed
}

/** Reads one session: the lines of its file are one attempt. */
async function* readSession(path: string): AsyncGenerator<ReadRecord> {
  const lines: SessionLine[] = []
  for await (const record of jsonRecords(path)) {
    if ('problem' in record) {
      yield record
      continue
    }
    const line = readSessionLine(record.value)
    if (line !== null) lines.push(line)
    else yield { line: record.line, problem: 'not a line of a session', code: 'unknown-log-record' }
  }
  if (lines.some(({ type }) => type === 'response_item' || type === 'event_msg'))
    yield toReadRecord(1, () => convertSession(lines))
}

/** Reads sessions of Codex CLI: the files below ~/.codex/sessions, or the output of `codex exec --json`. */
export const readCodex: ReadLog = async function* (path) {
  const first = await firstRecord(path)
  yield* isCodexEvent(first) ? codexEvents(path) : readSession(path)
}
