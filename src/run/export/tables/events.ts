import type { TraceEvent } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, fieldColumns, json, jsonText } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly event: TraceEvent
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...fieldColumns(({ event }: Row) => event, {
    seq: ['integer', 'The number of the event, from 0.'],
    at: ['time', 'When it happened.'],
    step: ['integer', 'The model turn, from 1; 0 before the first.', 'model turns'],
    type: ['text', 'The type of the event ([record-format.md](record-format.md#trace-events)).'],
  }),
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
