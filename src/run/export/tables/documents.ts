import type { Context } from '../../../core/attempt.ts'
import type { Discovery } from '../../../core/discovery.ts'
import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, fieldColumns, text } from '../table.ts'

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
  ...fieldColumns(({ shown }: Row) => shown, {
    chars: ['integer', 'Length of its text (offline, rag); null in other settings.', 'characters'],
    charsInPrompt: [
      'integer',
      'How much of it is in the prompt (offline, rag); null in other settings.',
      'characters',
    ],
    problem: [
      'text',
      'Why its text, or part of it, could not be read; null when all could be, and in other settings.',
    ],
  }),
  ...fieldColumns(({ found }: Row) => found, {
    surfacedStep: [
      'integer',
      'The model turn in which a search result led to it (online); null when none did.',
      'model turns',
    ],
    openedStep: [
      'integer',
      'The model turn in which a call downloaded it (online); null when none did.',
      'model turns',
    ],
    parsedStep: [
      'integer',
      'The model turn in which text of it was shown (online); null when none was.',
      'model turns',
    ],
    usedStep: [
      'integer',
      'The model turn that showed a value which the answer has right (online); null when there is none.',
      'model turns',
    ],
    triedStep: [
      'integer',
      'The model turn of the first failed try to open it (online); null when it was opened or never tried.',
      'model turns',
    ],
    query: ['text', 'The query that found it (online); null when no search did.'],
    url: ['text', 'The address that it was found or opened at (online); null when it was neither.'],
  }),
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
