import type { Observation } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { callColumns, callTimeColumn, failureColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, integer, json, jsonText, text } from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
  readonly query: string | null
  readonly hits: Extract<Observation, { kind: 'hits' }>['hits']
}

const columns: readonly Column<Row>[] = [
  ...callColumns,
  text('query', 'The query; null when a failed call does not say.', ({ query }) => query),
  integer('results', 'Results.', ({ hits }) => hits.length),
  json('hits', 'The results in the order of the service: url, title, snippet, position, date.', ({ hits }) =>
    jsonText(hits),
  ),
  ...failureColumns,
  callTimeColumn,
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
