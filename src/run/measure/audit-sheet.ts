import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { DataError } from '../../core/errors.ts'
import { csvText } from '../../report/tables/csv-text.ts'
import { type AuditItem, readMark } from '../../score/audit.ts'
import { whyUnreadable } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'

const idStart = 'cell-'
const columns = ['id', 'attempt', 'row', 'column', 'gold', 'answer', 'mark', 'mark2'] as const

/** One line of a sheet that a person has marked. */
export interface MarkedCell {
  readonly id: string
  /** '' when it is not marked yet. */
  readonly mark: string
  /** The mark of a second person. '' when it is missing. */
  readonly mark2: string
}

/** The id of an item in a sheet. It does not reveal the score, and no spreadsheet reads it as a number. */
export function auditId({
  attemptId,
  profile,
  judge,
  place,
}: Pick<AuditItem, 'attemptId' | 'profile' | 'judge' | 'place'>): string {
  return `${idStart}${sha256(JSON.stringify([attemptId, profile, judge, ...place])).slice(0, 16)}`
}

/** Writes items for a person to mark. Rule and score are left out, because they could influence the person. */
export async function writeSheet(path: string, items: readonly AuditItem[]): Promise<void> {
  const rows = items.map(item => {
    const [first = '', ...others] = item.place.map(part => (typeof part === 'number' ? part + 1 : part))
    // A field of a JSON value has no row.
    const [row, column] =
      typeof first === 'number' ? [first, others.join(', ')] : ['', [first, ...others].join(', ')]
    return [auditId(item), item.attemptId, row, column, item.gold, item.predicted, '', '']
  })
  // The byte order mark makes spreadsheet programs read the file as UTF-8.
  await writeFile(path, `\uFEFF${csvText(columns, rows)}`)
}

/**
 * Reads a marked sheet, also one that a spreadsheet program saved.
 *
 * @throws DataError [unreadable-sheet, invalid-sheet, invalid-mark]
 */
export async function readSheet(path: string): Promise<MarkedCell[]> {
  const read = await readFile(path, 'utf8').catch(error => {
    throw new DataError(`--sheet ${path}: ${whyUnreadable(error)}. Name a sheet that audit --sample wrote.`, {
      code: 'unreadable-sheet',
      cause: error,
    })
  })
  const text = read.replace(/^\uFEFF/, '')
  const [header = [], ...rows] = recordsOf(path, text)
  const names = header.map(name => name.trim().toLowerCase())
  const [idAt, markAt, mark2At] = [names.indexOf('id'), names.indexOf('mark'), names.indexOf('mark2')]
  if (idAt < 0 || markAt < 0) throw invalidSheet(path, "column 'id' or 'mark' is missing")
  return rows.flatMap((row, index) => {
    // Older versions wrote the id without its prefix.
    const id = (row[idAt] ?? '').trim().replace(/^[0-9a-f]{16}$/, `${idStart}$&`)
    const mark = (row[markAt] ?? '').trim()
    const mark2 = mark2At < 0 ? '' : (row[mark2At] ?? '').trim()
    if (id === '' && mark === '' && mark2 === '') return []
    for (const one of [mark, mark2])
      if (one !== '' && readMark(one) === null)
        throw new DataError(
          `${path}:${index + 2}: unknown mark '${one}'. Write right, wrong, or a number from 0 to 1.`,
          { code: 'invalid-mark' },
        )
    return [{ id, mark, mark2 }]
  })
}

function recordsOf(path: string, text: string): string[][] {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [',', ';', '\t'].find(sign => firstLine.split(sign).length >= 2) ?? ','
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    throw invalidSheet(path, `not a CSV file: ${(error as Error).message}`)
  }
}

function invalidSheet(path: string, problem: string): DataError {
  return new DataError(`${path}: ${problem}. Name a sheet that audit --sample wrote.`, {
    code: 'invalid-sheet',
  })
}
