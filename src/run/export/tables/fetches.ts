import type { Observation } from '../../../../logs/events.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { callColumns, callTimeColumn, failureColumns } from '../identity-columns.ts'
import {
  boolean,
  type Column,
  type ExportTable,
  fieldColumns,
  integer,
  json,
  jsonText,
  text,
} from '../table.ts'
import { type TracedCall, tracedCalls } from '../traced-calls.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly call: TracedCall
  readonly url: string | null
  /** Null when nothing was received. */
  readonly body: Extract<Observation, { kind: 'body' }> | null
  /** The document of the task that was opened. */
  readonly document: string | null
}

const columns: readonly Column<Row>[] = [
  ...callColumns,
  text('tool', 'The tool.', ({ call }) => call.name),
  text('url', 'The address that was requested; null when a failed call does not say.', ({ url }) => url),
  text(
    'finalUrl',
    'The address after all redirects; null when nothing was received.',
    ({ body }) => body?.finalUrl ?? null,
  ),
  text(
    'document',
    'The document of the task that was opened at this address; null for other pages, and when not known.',
    ({ document }) => document,
  ),
  ...fieldColumns(({ body }: Row) => body, {
    contentType: ['text', 'The type of the content; null when nothing was received.'],
    bytes: ['integer', 'Size of the body; null when nothing was received.', 'bytes'],
    sha256: ['text', 'SHA-256 of the body; null when nothing was received.'],
  }),
  integer(
    'pages',
    'Pages or parts of the body; null when nothing was received.',
    ({ body }) => body?.total ?? null,
  ),
  json('pagesShown', 'Those whose text was shown, from 1; null when nothing was received.', ({ body }) =>
    jsonText(body?.shown),
  ),
  ...failureColumns,
  boolean(
    'infrastructure',
    'True when the web or the harness failed, not the agent; null when it did not fail.',
    ({ call }) => call.infrastructure,
  ),
  callTimeColumn,
]

/** One row for each page or document that a tool requested. */
export const fetches: ExportTable<Row> = {
  name: 'fetches',
  description:
    'One row for each page or document that a tool requested. A call that received several has several rows.',
  columns,
  rowsOfAttempt: fetchRows,
}

function* fetchRows(source: ExportedAttempt): Iterable<Row> {
  const opened = (source.attempt.discovery?.hints ?? []).filter(hint => hint.openedStep !== null)
  const documentAt = (...urls: readonly string[]): string | null =>
    opened.find(({ url }) => url !== null && urls.includes(url))?.hint ?? null
  for (const call of tracedCalls(source)) {
    const bodies = call.observations.filter(one => one.kind === 'body')
    for (const body of bodies)
      yield { source, call, url: body.url, body, document: documentAt(body.url, body.finalUrl) }
    const url = urlOf(call.args)
    if (bodies.length === 0 && url !== null && call.failed)
      yield { source, call, url, body: null, document: null }
  }
}

function urlOf(args: unknown): string | null {
  const url = typeof args === 'object' && args !== null && 'url' in args ? args.url : null
  return typeof url === 'string' ? url : null
}
