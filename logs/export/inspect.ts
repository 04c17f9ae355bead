import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { isObject, withoutNull } from '../../src/text/json.ts'
import type { CallUsage } from '../event-parts.ts'
import type { ForeignAssistantMessage, ForeignMessage, ForeignToolMessage } from '../import/foreign-log.ts'
import { limitEnds, stopEnds } from '../import/inspect-ends.ts'
import { originalKey } from '../original-record.ts'
import { answerBesideMessages, type ExportedLog, type Json } from './exported-log.ts'
import { shortId } from './inspect-header.ts'

/** A sample of an Inspect log with its summary, as the archive contains both. */
export interface InspectEntry {
  /** The name of the sample's file in the archive. */
  readonly name: string
  readonly sample: Json
  readonly summary: Json
}

/** Makes the sample of an attempt. Its id is the task, and its epoch the trial. */
export function createSample(log: ExportedLog): InspectEntry {
  const { attempt, messages, answerText, original } = log
  const { taskId, trial, model, usage, startedAt, endedAt } = attempt
  const conversation = messages.map((message, at) =>
    createMessage(message, `${attempt.attemptId}-${at}`, model),
  )
  const lastTurn = messages.findLastIndex(message => message.role === 'assistant')
  const beside = answerBesideMessages(log)
  const output =
    beside === null && lastTurn >= 0
      ? conversation[lastTurn]
      : { role: 'assistant', content: answerText ?? '', model, source: 'generate' }
  const question = messages.find(message => message.role === 'user')
  const common = {
    id: taskId,
    epoch: trial + 1,
    input: question?.text ?? '',
    // The gold stays with the tasks.
    target: '',
    scores: createScores(log.scores, answerText),
    model_usage: { [model]: { ...createUsage(usage), ...withoutNull({ total_cost: usage.usdModel }) } },
    started_at: startedAt,
    completed_at: endedAt,
    ...withoutNull({ total_time: toSeconds(usage.wallMs), working_time: toSeconds(usage.workingMs) }),
    uuid: sampleUuid(log),
  }
  const { limit, error, stopReason } = describeEnd(log)
  const sample = {
    ...common,
    messages: conversation,
    output: { model, choices: [{ message: output, stop_reason: stopReason }], completion: answerText ?? '' },
    metadata: { ...describeAttempt(attempt), [originalKey]: original },
    store: {},
    events: createEvents(log, conversation),
    ...withoutNull({ limit, error: error === null ? null : createError(error) }),
    attachments: {},
  }
  const summary = {
    ...common,
    metadata: describeAttempt(attempt),
    completed: true,
    message_count: messages.length,
    ...withoutNull({ error, limit: limit?.type ?? null }),
  }
  return { name: `samples/${taskId}_epoch_${trial + 1}.json`, sample, summary }
}

/** The facts of an attempt that have no place in a sample. */
function describeAttempt({
  attemptId,
  setting,
  domain,
  language,
  facets,
  termination,
  usage,
}: Attempt): Json {
  const { cause, reason, detail } = termination
  const { searchCalls, fetchCalls, toolErrors, usd } = usage
  return {
    attemptId,
    setting,
    domain,
    language,
    ...facets,
    termination: `${cause}/${reason}`,
    ...withoutNull({ termination_detail: detail }),
    ...withoutNull({ searches: searchCalls, fetches: fetchCalls, tool_errors: toolErrors, usd }),
  }
}

/** Two exports of one run name its samples alike, so that an import of both counts each once. */
function sampleUuid({ run, attempt: { attemptId, startedAt } }: ExportedLog): string {
  return shortId(`${run}\n${attemptId}\n${startedAt}`)
}

const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

function createError(message: string): Json {
  return { message, traceback: '', traceback_ansi: '' }
}

function createMessage(message: ForeignMessage, id: string, model: string): Json {
  if (message.role === 'tool') return createToolMessage(message, id)
  if (message.role !== 'assistant') return { id, role: message.role, content: message.text, source: 'input' }
  const { text, reasoning, calls, malformed } = message
  const toolCalls = [
    ...calls.map(({ id: callId, name, args }) => ({ ...createCall(callId, name, args) })),
    ...malformed.map(({ name, args, problem }, at) => ({
      ...createCall(`${id}-malformed-${at}`, name, args),
      parse_error: problem,
    })),
  ]
  return {
    id,
    role: 'assistant',
    model,
    source: 'generate',
    content:
      reasoning === null
        ? text
        : [
            { type: 'reasoning', reasoning },
            { type: 'text', text },
          ],
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
}

function createCall(id: string, name: string, args: unknown): Json {
  return { id, function: name, arguments: isObject(args) ? args : { input: args }, type: 'function' }
}

function createToolMessage({ callId, tool, text, error }: ForeignToolMessage, id: string): Json {
  return {
    id,
    role: 'tool',
    content: text,
    tool_call_id: callId,
    function: tool,
    ...(error !== null && { error: toolError(error) }),
  }
}

function toolError(message: string): Json {
  return { type: /timed? ?out/i.test(message) ? 'timeout' : 'unknown', message }
}

/** Makes a usage. Inspect AI counts cached input beside the other input. */
function createUsage({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: CallUsage): Json {
  return withoutNull({
    input_tokens: inputTokens === null ? null : inputTokens - (cachedInputTokens ?? 0),
    input_tokens_cache_read: cachedInputTokens,
    output_tokens: outputTokens,
    reasoning_tokens: reasoningTokens,
    total_tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
  })
}

/** Makes the scores of a sample by their scorers. An unscored attempt has none. */
function createScores(scores: readonly Score[], answerText: string | null): Json {
  const scored = scores.filter(({ status }) => status === 'scored')
  return Object.fromEntries(
    scored.map(score => [
      scoreName(score, scores),
      {
        value: score.metrics,
        ...withoutNull({ answer: answerText }),
        explanation: score.explanation.join('\n'),
        metadata: { judge: score.judge, success: score.success, answered: score.answered },
      },
    ]),
  )
}

/** Returns the scorer; with its judge when several judged by the same scorer. */
function scoreName({ scorer, judge }: Score, all: readonly Score[]): string {
  return all.filter(other => other.scorer === scorer).length > 1 ? `${scorer}/${judge}` : scorer
}

/** The budgets in the units of Inspect AI, by the limit that they cause. */
const capsOfLimits: Readonly<Record<string, { readonly cap: string; readonly scale: number }>> = {
  message: { cap: 'modelCalls', scale: 1 },
  token: { cap: 'tokens', scale: 1 },
  time: { cap: 'wallMs', scale: 1 / 1000 },
  cost: { cap: 'usd', scale: 1 },
}

function isSameEnd(a: AttemptEnd, b: AttemptEnd): boolean {
  return a.cause === b.cause && a.reason === b.reason
}

/** Returns the end of an attempt as Inspect AI reports it: a limit, an error, or the model's stop reason. */
function describeEnd({ attempt: { termination }, caps }: ExportedLog) {
  const { cause, reason, detail } = termination
  const words = detail === null ? `${cause}/${reason}` : `${cause}/${reason}: ${detail}`
  const none = { limit: null, error: null, stopReason: 'stop' }
  const stop = [...stopEnds].find(([, { end }]) => isSameEnd(end, termination))
  const type = [...limitEnds].find(([, end]) => isSameEnd(end, termination))?.[0]
  if (reason === 'output-limit') return { ...none, stopReason: 'max_tokens' }
  if (type !== undefined || cause === 'budget') {
    const budget = capsOfLimits[type ?? '']
    const limit = budget === undefined ? 0 : (caps[budget.cap] ?? 0) * budget.scale
    return {
      ...none,
      limit: { type: type ?? 'custom', limit, reason: words },
      stopReason: stop?.[0] ?? 'unknown',
    }
  }
  if (stop !== undefined) return { ...none, stopReason: stop[0] }
  const isAgents = cause === 'agent' && reason !== 'crashed'
  return isAgents ? none : { ...none, error: words, stopReason: 'unknown' }
}

/** Makes the events of a sample: a call of the model for each turn, and a call of a tool for each result. */
function createEvents({ attempt, messages }: ExportedLog, conversation: readonly Json[]): Json[] {
  const start = Date.parse(attempt.startedAt)
  const args = new Map<string, unknown>()
  const place = (at: string | null) => {
    const timestamp = at ?? attempt.startedAt
    return { timestamp, working_start: Math.max(0, (Date.parse(timestamp) - start) / 1000) }
  }
  let firstNew = 0
  return messages.flatMap((message, at): Json[] => {
    if (message.role === 'assistant') {
      for (const call of message.calls) args.set(call.id, call.args)
      if (message.isModelTurn === false) return []
      const input = conversation.slice(firstNew, at)
      firstNew = at + 1
      return [{ ...place(message.at), ...modelEvent(message, conversation[at]!, input, attempt.model) }]
    }
    return message.role === 'tool'
      ? [
          {
            ...place(message.at),
            ...toolEvent(message, args.get(message.callId), String(conversation[at]?.id)),
          },
        ]
      : []
  })
}

/** @param input the messages since the call before, so that a log does not grow with the square of its turns */
function modelEvent(
  turn: ForeignAssistantMessage,
  message: Json,
  input: readonly Json[],
  model: string,
): Json {
  const { finishReason, calls, usage } = turn
  const usual = calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    event: 'model',
    model,
    input,
    tools: [],
    tool_choice: 'auto',
    config: {},
    output: {
      model,
      choices: [{ message, stop_reason: stopReasons.get(finishReason ?? '') ?? usual }],
      completion: turn.text,
      ...withoutNull({ usage: usage === null ? null : createUsage(usage) }),
      metadata: { finish_reason: finishReason },
    },
  }
}

/** Words of providers for the stop reasons of Inspect AI. */
const stopReasons: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['content_filter', 'content_filter'],
])

function toolEvent(
  { callId, tool, text, error }: ForeignToolMessage,
  args: unknown,
  messageId: string,
): Json {
  return {
    event: 'tool',
    type: 'function',
    ...createCall(callId, tool, args ?? {}),
    result: text,
    ...(error !== null && { error: toolError(error) }),
    message_id: messageId,
  }
}
