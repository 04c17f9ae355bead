import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { DataError } from '../../core/errors.ts'
import { csvText } from '../../report/tables/csv-text.ts'
import { type AuditItem, readMark } from '../../score/audit.ts'
import { whyUnreadable } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'

const idStart = 'cell-'
const columns = ['id', 'attempt', 'row', 'column', 'gold', 'answer', 'mark'] as const

/** One line of a sheet as a person left it. */
export interface MarkedCell {
  readonly id: string
  /** '' where it is not marked yet. */
  readonly mark: string
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

/** Writes items for a person to mark, without rule and score, which could influence the person. */
export async function writeSheet(path: string, items: readonly AuditItem[]): Promise<void> {
  const rows = items.map(item => {
    const [first = '', ...others] = item.place.map(part => (typeof part === 'number' ? part + 1 : part))
    // A field of a JSON value has no row.
    const [row, column] =
      typeof first === 'number' ? [first, others.join(', ')] : ['', [first, ...others].join(', ')]
    return [auditId(item), item.attemptId, row, column, item.gold, item.predicted, '']
  })
  // With a byte order mark spreadsheet programs read it as UTF-8.
  await writeFile(path, `\uFEFF${csvText(columns, rows)}`)
}

/** Reads a sheet back, also as a spreadsheet program saved it. DataError names the line that can't be used. */
export async function readSheet(path: string): Promise<MarkedCell[]> {
  const read = await readFile(path, 'utf8').catch(error => {
    throw new DataError(`--sheet ${path}: ${whyUnreadable(error)}; name a sheet that audit --sample wrote`)
  })
  const text = read.replace(/^\uFEFF/, '')
  const [header = [], ...rows] = recordsOf(path, text)
  const names = header.map(name => name.trim().toLowerCase())
  const [idAt, markAt] = [names.indexOf('id'), names.indexOf('mark')]
  if (idAt < 0 || markAt < 0) throw new DataError(`${path}: no column 'id' or 'mark': not a sheet of audit`)
  return rows.flatMap((row, index) => {
    // In sheets of older versions it stands bare.
    const id = (row[idAt] ?? '').trim().replace(/^[0-9a-f]{16}$/, `${idStart}$&`)
    const mark = (row[markAt] ?? '').trim()
    if (id === '' && mark === '') return []
    if (mark !== '' && readMark(mark) === null)
      throw new DataError(`${path}: row ${index + 2}: mark '${mark}': right, wrong, or a number from 0 to 1`)
    return [{ id, mark }]
  })
}

function recordsOf(path: string, text: string): string[][] {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [',', ';', '\t'].find(sign => firstLine.split(sign).length >= 2) ?? ','
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    throw new DataError(`${path}: no CSV that can be read: ${(error as Error).message}`)
  }
}
