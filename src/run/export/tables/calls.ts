import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, fieldColumns, json } from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...fieldColumns(({ call }: Row) => call, {
    seq: ['integer', 'The number of the event that began the call. It orders the calls of an attempt.'],
    at: ['time', 'When the call began.'],
    step: ['integer', 'The model turn, from 1; 0 before the first.', 'model turns'],
    kind: ['text', '`model` or `tool`.'],
    name: [
      'text',
      'The tool. For a side request to the model, what it is for; null for a turn of the agent.',
    ],
    callId: ['text', 'The id that the model gave a tool call; null for calls of the model.'],
  }),
  json(
    'input',
    'The input of a tool; null for calls of the model, whose messages are in `events`.',
    ({ call }) => call.input,
  ),
  ...fieldColumns(({ call }: Row) => call, {
    output: ['text', 'The text that came back; null when the call failed or never ended.'],
    failed: ['boolean', 'True when the call failed or never ended.'],
    error: [
      'text',
      'The error class of a tool call; `no-answer` when no answer was recorded. Null when it did not fail.',
    ],
    infrastructure: [
      'boolean',
      'True when the web or the harness failed, not the agent; null when it did not fail, and for calls of the model.',
    ],
    wallMs: ['integer', 'Time until the answer; null when there is none.', 'milliseconds'],
    toolCalls: ['integer', 'Tool calls in the answer of the model; null for tools.'],
    finishReason: ['text', 'Why the model stopped, in the words of the provider; null for tools.'],
  }),
  ...fieldColumns(({ call }: Row) => call.usage, {
    inputTokens: ['integer', 'Tokens of the prompt; null for tools, and when not known.', 'tokens'],
    cachedInputTokens: ['integer', 'Those of `inputTokens` that came from a cache; null like it.', 'tokens'],
    outputTokens: ['integer', 'Tokens of the answer, reasoning included; null like `inputTokens`.', 'tokens'],
    reasoningTokens: [
      'integer',
      'Those of `outputTokens` that were reasoning; null like `inputTokens`.',
      'tokens',
    ],
  }),
]

/** One row for each call of the model or of a tool. */
export const calls: ExportTable<Row> = {
  name: 'calls',
  description: 'One row for each call of the model under test or of a tool.',
  columns,
  rowsOfAttempt: source => tracedCalls(source).map(call => ({ source, call })),
}
