import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import type { Column, ExportTable } from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  {
    name: 'seq',
    type: 'integer',
    unit: '',
    description: 'The number of the event that began the call. It orders the calls of an attempt.',
    value: ({ call }) => call.seq,
  },
  {
    name: 'at',
    type: 'time',
    unit: '',
    description: 'When the call began.',
    value: ({ call }) => call.at,
  },
  {
    name: 'step',
    type: 'integer',
    unit: 'model turns',
    description: 'The model turn, from 1; 0 before the first.',
    value: ({ call }) => call.step,
  },
  {
    name: 'kind',
    type: 'text',
    unit: '',
    description: '`model` or `tool`.',
    value: ({ call }) => call.kind,
  },
  {
    name: 'name',
    type: 'text',
    unit: '',
    description: 'The tool. For a side request to the model, what it is for; null for a turn of the agent.',
    value: ({ call }) => call.name,
  },
  {
    name: 'callId',
    type: 'text',
    unit: '',
    description: 'The id that the model gave a tool call; null for calls of the model.',
    value: ({ call }) => call.callId,
  },
  {
    name: 'input',
    type: 'json',
    unit: '',
    description: 'The input of a tool; null for calls of the model, whose messages are in `events`.',
    value: ({ call }) => call.input,
  },
  {
    name: 'output',
    type: 'text',
    unit: '',
    description: 'The text that came back; null when the call failed or never ended.',
    value: ({ call }) => call.output,
  },
  {
    name: 'failed',
    type: 'boolean',
    unit: '',
    description: 'True when the call failed or never ended.',
    value: ({ call }) => call.failed,
  },
  {
    name: 'error',
    type: 'text',
    unit: '',
    description:
      'The error class of a tool call; `no-answer` when no answer was recorded. Null when it did not fail.',
    value: ({ call }) => call.error,
  },
  {
    name: 'infrastructure',
    type: 'boolean',
    unit: '',
    description:
      'True when the web or the harness failed, not the agent; null when it did not fail, and for calls of the model.',
    value: ({ call }) => call.infrastructure,
  },
  {
    name: 'wallMs',
    type: 'integer',
    unit: 'milliseconds',
    description: 'Time until the answer; null when there is none.',
    value: ({ call }) => call.wallMs,
  },
  {
    name: 'toolCalls',
    type: 'integer',
    unit: '',
    description: 'Tool calls in the answer of the model; null for tools.',
    value: ({ call }) => call.toolCalls,
  },
  {
    name: 'finishReason',
    type: 'text',
    unit: '',
    description: 'Why the model stopped, in the words of the provider; null for tools.',
    value: ({ call }) => call.finishReason,
  },
  {
    name: 'inputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of the prompt; null for tools, and when not known.',
    value: ({ call }) => call.usage?.inputTokens ?? null,
  },
  {
    name: 'cachedInputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Those of `inputTokens` that came from a cache; null like it.',
    value: ({ call }) => call.usage?.cachedInputTokens ?? null,
  },
  {
    name: 'outputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of the answer, reasoning included; null like `inputTokens`.',
    value: ({ call }) => call.usage?.outputTokens ?? null,
  },
  {
    name: 'reasoningTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Those of `outputTokens` that were reasoning; null like `inputTokens`.',
    value: ({ call }) => call.usage?.reasoningTokens ?? null,
  },
]

/** One row for each call of the model or of a tool. */
export const calls: ExportTable<Row> = {
  name: 'calls',
  description: 'One row for each call of the model under test or of a tool.',
  columns,
  rowsOfAttempt: source => tracedCalls(source).map(call => ({ source, call })),
}
