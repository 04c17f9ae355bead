import type { TraceEvent } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, integer, json, jsonText, text, time } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly event: TraceEvent
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  integer('seq', 'The number of the event, from 0.', ({ event }) => event.seq),
  time('at', 'When it happened.', ({ event }) => event.at),
  integer('step', 'The model turn, from 1; 0 before the first.', ({ event }) => event.step, 'model turns'),
  text(
    'type',
    'The type of the event ([record-format.md](record-format.md#trace-events)).',
    ({ event }) => event.type,
  ),
  json(
    'data',
    'The other fields of the event. Texts of more than 4,000 characters are given by their hash.',
    ({ event }) => dataOf(event),
  ),
]

/** One row for each event of a trace. */
export const events: ExportTable<Row> = {
  name: 'events',
  description: 'One row for each event of a trace.',
  columns,
  rowsOfAttempt: source => (source.events ?? []).map(event => ({ source, event })),
}

function dataOf({
  seq: _seq,
  at: _at,
  attemptId: _id,
  step: _step,
  type: _type,
  ...data
}: TraceEvent): string | null {
  return jsonText(data)
}
