import type { Context, Discovery } from '../../../core/attempt.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, integer, text } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly document: string
  /** Null when the document was not meant for the prompt. */
  readonly shown: Context['documents'][number] | null
  /** Null when the agent did not have to find the document. */
  readonly found: Discovery['hints'][number] | null
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  text('document', 'The name of the document, as the task gives it.', ({ document }) => document),
  integer(
    'chars',
    'Length of its text (offline, rag); null in other settings.',
    ({ shown }) => shown?.chars ?? null,
    'characters',
  ),
  integer(
    'charsInPrompt',
    'How much of it is in the prompt (offline, rag); null in other settings.',
    ({ shown }) => shown?.charsInPrompt ?? null,
    'characters',
  ),
  text(
    'problem',
    'Why its text, or part of it, could not be read; null when all could be, and in other settings.',
    ({ shown }) => shown?.problem ?? null,
  ),
  integer(
    'surfacedStep',
    'The model turn in which a search result led to it (online); null when none did.',
    ({ found }) => found?.surfacedStep ?? null,
    'model turns',
  ),
  integer(
    'openedStep',
    'The model turn in which a call downloaded it (online); null when none did.',
    ({ found }) => found?.openedStep ?? null,
    'model turns',
  ),
  integer(
    'parsedStep',
    'The model turn in which text of it was shown (online); null when none was.',
    ({ found }) => found?.parsedStep ?? null,
    'model turns',
  ),
  integer(
    'usedStep',
    'The model turn that showed a value which the answer has right (online); null when there is none.',
    ({ found }) => found?.usedStep ?? null,
    'model turns',
  ),
  integer(
    'triedStep',
    'The model turn of the first failed try to open it (online); null when it was opened or never tried.',
    ({ found }) => found?.triedStep ?? null,
    'model turns',
  ),
  text(
    'query',
    'The query that found it (online); null when no search did.',
    ({ found }) => found?.query ?? null,
  ),
  text(
    'url',
    'The address that it was found or opened at (online); null when it was neither.',
    ({ found }) => found?.url ?? null,
  ),
]

/** One row for each attempt and document of its task. */
export const documents: ExportTable<Row> = {
  name: 'documents',
  description:
    'One row for each attempt and document of its task: what the prompt contained, or what the agent found.',
  columns,
  rowsOfAttempt: documentRows,
}

function documentRows(source: ExportedAttempt): Row[] {
  const { context, discovery } = source.attempt
  const shown = new Map(context?.documents.map(one => [one.hint, one]))
  const found = new Map(discovery?.hints.map(one => [one.hint, one]))
  const names = new Set([...shown.keys(), ...found.keys()])
  return [...names].map(document => ({
    source,
    document,
    shown: shown.get(document) ?? null,
    found: found.get(document) ?? null,
  }))
}
