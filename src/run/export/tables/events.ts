import type { TraceEvent } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, jsonText } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly event: TraceEvent
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  {
    name: 'seq',
    type: 'integer',
    unit: '',
    description: 'The number of the event, from 0.',
    value: ({ event }) => event.seq,
  },
  {
    name: 'at',
    type: 'time',
    unit: '',
    description: 'When it happened.',
    value: ({ event }) => event.at,
  },
  {
    name: 'step',
    type: 'integer',
    unit: 'model turns',
    description: 'The model turn, from 1; 0 before the first.',
    value: ({ event }) => event.step,
  },
  {
    name: 'type',
    type: 'text',
    unit: '',
    description: 'The type of the event ([record-format.md](record-format.md#trace-events)).',
    value: ({ event }) => event.type,
  },
  {
    name: 'data',
    type: 'json',
    unit: '',
    description:
      'The other fields of the event. Texts of more than 4,000 characters are given by their hash.',
    value: ({ event }) => dataOf(event),
  },
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
