import { envelopeSchema } from '../../../logs/events.ts'
import { joinColumns, readJoinFields } from './arm-columns.ts'
import { boolean, declareTable, integer, json, recordColumns, text, time } from './table.ts'
import { listTracedCalls, type TracedCall } from './traced-calls.ts'

/** One row for each event of a trace. */
export const events = declareTable({
  name: 'events',
  description: 'One row for each event of a trace.',
  columns: {
    ...joinColumns,
    ...recordColumns(envelopeSchema, {
      seq: 'The number of the event, from 0.',
      at: 'When it happened.',
      step: 'The model turn, from 1; 0 before the first.',
    }),
    ...text({ type: 'The type of the event ([Trace events](#trace-events)).' }),
    ...json({
      data: 'The other fields of the event. Texts of more than 4,000 characters are given by their hash.',
    }),
  },
  attemptRows: source =>
    (source.events ?? []).map(({ seq, at, attemptId: _id, step, type, ...data }) => {
      return { ...readJoinFields(source), seq, at, step, type, data }
    }),
})

/** One row for each call of the model or of a tool. */
export const calls = declareTable({
  name: 'calls',
  description: 'One row for each call of the model under test or of a tool.',
  columns: {
    ...joinColumns,
    ...recordColumns(envelopeSchema, {
      seq: 'The number of the event that began the call. It orders the calls of an attempt.',
      at: 'When the call began.',
      step: 'The model turn, from 1; 0 before the first.',
    }),
    ...text({
      kind: '`model` or `tool`.',
      name: 'The tool. For a side request to the model, what it is for; null for a turn of the agent.',
      callId: 'The id that the model gave a tool call; null for calls of the model.',
    }),
    ...json({ input: 'The input of a tool; null for calls of the model, whose messages are in `events`.' }),
    ...text({ output: 'The text that came back; null when the call failed or never ended.' }),
    ...boolean({ failed: 'True when the call failed or never ended.' }),
    ...text({
      error:
        'The error class of a tool call; `no-answer` when no answer was recorded. Null when it did not fail.',
    }),
    ...boolean({
      infrastructure:
        'True when the web or the harness failed, not the agent; null when it did not fail, and for calls of the model.',
    }),
    ...integer({
      wallMs: 'Time until the answer; null when there is none.',
      toolCalls: 'Tool calls in the answer of the model; null for tools.',
    }),
    ...text({ finishReason: 'Why the model stopped, in the words of the provider; null for tools.' }),
    ...integer({
      inputTokens: 'Tokens of the prompt; null for tools, and when not known.',
      cachedInputTokens: 'Those of `inputTokens` that came from a cache; null like it.',
      outputTokens: 'Tokens of the answer, reasoning included; null like `inputTokens`.',
      reasoningTokens: 'Those of `outputTokens` that were reasoning; null like `inputTokens`.',
    }),
  },
  attemptRows: source =>
    listTracedCalls(source).map(call => ({ ...readJoinFields(source), ...call, ...call.usage })),
})

/** The columns that join a search or a fetch with its call. */
const callColumns = {
  ...joinColumns,
  ...integer({ callSeq: 'The call: `seq` in `calls`.' }),
  ...time({ at: 'When the call began.' }),
  ...integer({ step: 'The model turn, from 1.' }),
}

/** The columns that say whether a search or a fetch failed. */
const failureColumns = {
  ...boolean({ failed: 'True when the call failed.' }),
  ...text({ error: 'The error class; null when it did not fail.' }),
}

const callTimeColumn = integer({ wallMs: 'Time of the whole call; null when it never ended.' })

/** One row for each query of a search. */
export const searches = declareTable({
  name: 'searches',
  description: 'One row for each query of a search. A call with several queries has several rows.',
  columns: {
    ...callColumns,
    ...text({ query: 'The query; null when a failed call does not say.' }),
    ...integer({ results: 'Results.' }),
    ...json({ hits: 'The results in the order of the service: url, title, snippet, position, date.' }),
    ...failureColumns,
    ...callTimeColumn,
  },
  *attemptRows(source) {
    for (const call of listTracedCalls(source)) {
      const row = { ...readJoinFields(source), ...call, callSeq: call.seq }
      const searches = call.observations.filter(observation => observation.kind === 'hits')
      for (const { query, hits } of searches) yield { ...row, query, results: hits.length, hits }
      if (searches.length === 0 && call.name === 'web_search')
        yield { ...row, query: readArgument(call, 'query'), results: 0, hits: [] }
    }
  },
})

/** One row for each page or document that a tool requested. */
export const fetches = declareTable({
  name: 'fetches',
  description:
    'One row for each page or document that a tool requested. A call that received several has several rows.',
  columns: {
    ...callColumns,
    ...text({
      tool: 'The tool.',
      url: 'The address that was requested; null when a failed call does not say.',
      finalUrl: 'The address after all redirects; null when nothing was received.',
      document:
        'The document of the task that was opened at this address; null for other pages, and when not known.',
      contentType: 'The type of the content; null when nothing was received.',
    }),
    ...integer({ bytes: 'Size of the body; null when nothing was received.' }),
    ...text({ sha256: 'SHA-256 of the body; null when nothing was received.' }),
    ...integer({ pages: 'Pages or parts of the body; null when nothing was received.' }),
    ...json({ pagesShown: 'Those whose text was shown, from 1; null when nothing was received.' }),
    ...failureColumns,
    ...boolean({
      infrastructure: 'True when the web or the harness failed, not the agent; null when it did not fail.',
    }),
    ...callTimeColumn,
  },
  *attemptRows(source) {
    const opened = (source.attempt.discovery?.hints ?? []).filter(({ openedStep }) => openedStep !== null)
    for (const call of listTracedCalls(source)) {
      const row = { ...readJoinFields(source), ...call, callSeq: call.seq, tool: call.name }
      const bodies = call.observations.filter(observation => observation.kind === 'body')
      for (const body of bodies) {
        const document = opened.find(({ url }) => url === body.url || url === body.finalUrl)?.hint
        yield { ...row, ...body, document, pages: body.total, pagesShown: body.shown }
      }
      const url = readArgument(call, 'url')
      if (bodies.length === 0 && url !== null && call.failed) yield { ...row, url }
    }
  },
})

function readArgument({ input }: TracedCall, name: string): string | null {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : null
}
