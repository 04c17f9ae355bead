import type { Observation } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, jsonText } from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
  readonly query: string | null
  readonly hits: Extract<Observation, { kind: 'hits' }>['hits']
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  {
    name: 'callSeq',
    type: 'integer',
    unit: '',
    description: 'The call: `seq` in `calls`.',
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
    description: 'The model turn, from 1.',
    value: ({ call }) => call.step,
  },
  {
    name: 'query',
    type: 'text',
    unit: '',
    description: 'The query; null when a failed call does not say.',
    value: ({ query }) => query,
  },
  {
    name: 'results',
    type: 'integer',
    unit: '',
    description: 'Results.',
    value: ({ hits }) => hits.length,
  },
  {
    name: 'hits',
    type: 'json',
    unit: '',
    description: 'The results in the order of the service: url, title, snippet, position, date.',
    value: ({ hits }) => jsonText(hits),
  },
  {
    name: 'failed',
    type: 'boolean',
    unit: '',
    description: 'True when the call failed.',
    value: ({ call }) => call.failed,
  },
  {
    name: 'error',
    type: 'text',
    unit: '',
    description: 'The error class; null when it did not fail.',
    value: ({ call }) => call.error,
  },
  {
    name: 'wallMs',
    type: 'integer',
    unit: 'milliseconds',
    description: 'Time of the whole call; null when it never ended.',
    value: ({ call }) => call.wallMs,
  },
]

/** One row for each query of a search. */
export const searches: ExportTable<Row> = {
  name: 'searches',
  description: 'One row for each query of a search. A call with several queries has several rows.',
  columns,
  rowsOfAttempt: searchRows,
}

function* searchRows(source: ExportedAttempt): Iterable<Row> {
  for (const call of tracedCalls(source)) {
    const found = call.observations.filter(one => one.kind === 'hits')
    for (const { query, hits } of found) yield { source, call, query, hits }
    if (found.length === 0 && call.name === 'web_search')
      yield { source, call, query: textField(call.args, 'query'), hits: [] }
  }
}

function textField(args: unknown, name: string): string | null {
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : null
}
