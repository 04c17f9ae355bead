import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { boolean, type Column, type ExportTable, integer, json, text, time } from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  integer(
    'seq',
    'The number of the event that began the call. It orders the calls of an attempt.',
    ({ call }) => call.seq,
  ),
  time('at', 'When the call began.', ({ call }) => call.at),
  integer('step', 'The model turn, from 1; 0 before the first.', ({ call }) => call.step, 'model turns'),
  text('kind', '`model` or `tool`.', ({ call }) => call.kind),
  text(
    'name',
    'The tool. For a side request to the model, what it is for; null for a turn of the agent.',
    ({ call }) => call.name,
  ),
  text(
    'callId',
    'The id that the model gave a tool call; null for calls of the model.',
    ({ call }) => call.callId,
  ),
  json(
    'input',
    'The input of a tool; null for calls of the model, whose messages are in `events`.',
    ({ call }) => call.input,
  ),
  text(
    'output',
    'The text that came back; null when the call failed or never ended.',
    ({ call }) => call.output,
  ),
  boolean('failed', 'True when the call failed or never ended.', ({ call }) => call.failed),
  text(
    'error',
    'The error class of a tool call; `no-answer` when no answer was recorded. Null when it did not fail.',
    ({ call }) => call.error,
  ),
  boolean(
    'infrastructure',
    'True when the web or the harness failed, not the agent; null when it did not fail, and for calls of the model.',
    ({ call }) => call.infrastructure,
  ),
  integer(
    'wallMs',
    'Time until the answer; null when there is none.',
    ({ call }) => call.wallMs,
    'milliseconds',
  ),
  integer(
    'toolCalls',
    'Tool calls in the answer of the model; null for tools.',
    ({ call }) => call.toolCalls,
  ),
  text(
    'finishReason',
    'Why the model stopped, in the words of the provider; null for tools.',
    ({ call }) => call.finishReason,
  ),
  integer(
    'inputTokens',
    'Tokens of the prompt; null for tools, and when not known.',
    ({ call }) => call.usage?.inputTokens ?? null,
    'tokens',
  ),
  integer(
    'cachedInputTokens',
    'Those of `inputTokens` that came from a cache; null like it.',
    ({ call }) => call.usage?.cachedInputTokens ?? null,
    'tokens',
  ),
  integer(
    'outputTokens',
    'Tokens of the answer, reasoning included; null like `inputTokens`.',
    ({ call }) => call.usage?.outputTokens ?? null,
    'tokens',
  ),
  integer(
    'reasoningTokens',
    'Those of `outputTokens` that were reasoning; null like `inputTokens`.',
    ({ call }) => call.usage?.reasoningTokens ?? null,
    'tokens',
  ),
]

/** One row for each call of the model or of a tool. */
export const calls: ExportTable<Row> = {
  name: 'calls',
  description: 'One row for each call of the model under test or of a tool.',
  columns,
  rowsOfAttempt: source => tracedCalls(source).map(call => ({ source, call })),
}
