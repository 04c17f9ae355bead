import { existsSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { DataError } from '../../core/errors.ts'
import { writeCsvText } from '../../report/tables/table-formats.ts'
import { type AuditItem, isUnsure, readMark } from '../../score/audit.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { readTextFile, whyUnreadable } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'

const idStart = 'cell-'
/** The ids of whole answers begin with this. */
const answerIdStart = 'answer-'
const columns = ['id', 'attempt', 'row', 'column', 'gold', 'answer', 'mark', 'mark2'] as const

/** One line of a sheet that a person has marked. */
export interface MarkedCell {
  readonly id: string
  /** Whether the line is about the whole answer of an attempt. */
  readonly isAnswer: boolean
  /** '' when it is not marked yet. */
  readonly mark: string
  /** The mark of a second person. '' when it is missing. */
  readonly mark2: string
  /** The attempt of the item. '' when the sheet does not say. */
  readonly attemptId: string
  /** Whether a person chose the item. It is then not part of the random sample. */
  readonly isChosen: boolean
  /** The names of the first and of the second person. '' when the sheet does not say. */
  readonly markers: readonly [string, string]
  /** A free text. '' when there is none. */
  readonly note: string
}

/** The id of an item in a sheet. It does not reveal the score, and no spreadsheet reads it as a number. */
export function makeAuditId({ attemptId, scorer, judge, place }: AuditItem): string {
  return `${idStart}${sha256(JSON.stringify([attemptId, scorer, judge, ...place])).slice(0, 16)}`
}

/**
 * Writes items for a person to mark. Rule and score are left out, because they could influence the person. What an earlier
 * sheet says about whole answers is kept.
 */
export async function writeSheet(path: string, items: readonly AuditItem[]): Promise<void> {
  const sheet = existsSync(path) ? await readRows(path).catch(() => null) : null
  const answers = (sheet?.rows ?? []).filter(row => isAnswerId(row[sheet?.names.indexOf('id') ?? 0] ?? ''))
  const names = answers.length === 0 ? columns : [...new Set([...columns, ...(sheet?.names ?? [])])]
  const answerRows = answers.map(row => names.map(name => row[sheet?.names.indexOf(name) ?? -1] ?? ''))
  // The byte order mark makes spreadsheet programs read the file as UTF-8.
  await writeFileDurably(path, `\uFEFF${writeCsvText(names, [...items.map(createRow), ...answerRows])}`)
}

function isAnswerId(id: string): boolean {
  return id.trim().startsWith(answerIdStart)
}

function createRow(item: AuditItem): (string | number)[] {
  const [first = '', ...furtherParts] = item.place.map(part => (typeof part === 'number' ? part + 1 : part))
  // A field of a JSON value has no row.
  const [row, column] =
    typeof first === 'number' ? [first, furtherParts.join(', ')] : ['', [first, ...furtherParts].join(', ')]
  return [makeAuditId(item), item.attemptId, row, column, item.gold, item.predicted, '', '']
}

function createAnswerRow(attemptId: string): string[] {
  const id = `${answerIdStart}${sha256(attemptId).slice(0, 16)}`
  return [id, attemptId, '', 'whole answer', '', '', '', '']
}

/**
 * Reads a marked sheet, also one that a spreadsheet program saved.
 *
 * @throws DataError [unreadable-sheet, invalid-sheet, invalid-mark]
 */
export async function readSheet(path: string): Promise<MarkedCell[]> {
  const { names, rows } = await readRows(path)
  return rows.flatMap((row, index) => {
    const field = (name: string): string => row[names.indexOf(name)]?.trim() ?? ''
    const [id, mark, mark2] = [field('id'), field('mark'), field('mark2')]
    const note = field('note')
    if (id === '' && mark === '' && mark2 === '' && note === '') return []
    for (const markText of [mark, mark2])
      if (markText !== '' && !isUnsure(markText) && readMark(markText) === null)
        throw new DataError(
          `${path}:${index + 2}: unknown mark '${markText}'. Write right, wrong, unsure, or a number from 0 to 1.`,
          { code: 'invalid-mark' },
        )
    const markers = [field('marker'), field('marker2')] as const
    const [attemptId, isChosen] = [field('attempt'), field('chosen') !== '']
    return [{ id, isAnswer: isAnswerId(id), mark, mark2, attemptId, isChosen, markers, note }]
  })
}

/** Reads the rows of a sheet, and the names of its columns in lower case. */
async function readRows(path: string): Promise<{ readonly names: string[]; readonly rows: string[][] }> {
  const text = await readTextFile(path).catch(error => {
    throw new DataError(`--sheet ${path}: ${whyUnreadable(error)}. Name a sheet that audit --sample wrote.`, {
      code: 'unreadable-sheet',
      cause: error,
    })
  })
  const [header = [], ...rows] = parseSheet(path, text)
  const names = header.map(name => name.trim().toLowerCase())
  if (!names.includes('id') || !names.includes('mark'))
    throw makeInvalidSheetError(path, "column 'id' or 'mark' is missing")
  return { names, rows }
}

/** A mark or a note that a person sets. */
export interface NewMark {
  /** What is marked: an item, or the whole answer of an attempt. */
  readonly item: AuditItem | { readonly answerOf: string }
  /** `right`, `wrong` or `unsure`. '' removes the mark. Absent: the mark stays. */
  readonly mark?: string | undefined
  /** Absent: the note stays. */
  readonly note?: string | undefined
  /** The name of the person. */
  readonly marker: string
}

/**
 * Writes a mark into a sheet. The first person who marks an item of a sheet is its first marker, the next its second. An
 * item that the sheet lacks is added as chosen by a person. Creates a missing sheet. Other columns are kept.
 *
 * @throws DataError [sheet-has-two-markers] and those of `readSheet`
 */
export async function writeMark(path: string, { item, mark, note, marker }: NewMark): Promise<void> {
  const sheet = existsSync(path) ? await readRows(path) : { names: [...columns], rows: [] }
  const names = [...new Set([...sheet.names, 'mark2', 'marker', 'marker2', 'chosen', 'note'])]
  const rows = sheet.rows.map(row => names.map((_, at) => row[at] ?? ''))
  const at = (name: string): number => names.indexOf(name)
  const second = placeOfMarker(
    path,
    marker,
    [1, 2].map(place => findMarker(rows, at, place)),
  )
  const newRow = 'answerOf' in item ? createAnswerRow(item.answerOf) : createRow(item)
  const [id] = newRow
  const earlierRow = rows.find(row => row[at('id')]?.trim() === id)
  const row = earlierRow ?? names.map(() => '')
  if (earlierRow === undefined) {
    for (const [place, text] of newRow.entries()) row[at(columns[place] ?? '')] = String(text)
    row[at('chosen')] = 'by hand'
    rows.push(row)
  }
  if (mark !== undefined) {
    row[at(second ? 'mark2' : 'mark')] = mark
    row[at(second ? 'marker2' : 'marker')] = mark === '' ? '' : marker
  }
  if (note !== undefined) row[at('note')] = note
  await writeFileDurably(path, `\uFEFF${writeCsvText(names, rows)}`)
}

/** Returns the name of a marker. Null without one, and '' when the marks have no name. */
function findMarker(rows: readonly string[][], at: (name: string) => number, place: number): string | null {
  const [markAt, nameAt] = place === 1 ? [at('mark'), at('marker')] : [at('mark2'), at('marker2')]
  const marked = rows.filter(row => row[markAt]?.trim())
  if (marked.length === 0) return null
  return marked.map(row => row[nameAt]?.trim() ?? '').find(name => name !== '') ?? ''
}

/** Returns whether the person is the second marker of the sheet. */
function placeOfMarker(path: string, name: string, markers: readonly (string | null)[]): boolean {
  const namedPlace = markers.indexOf(name)
  const place = namedPlace === -1 ? markers.indexOf(null) : namedPlace
  if (place !== -1) return place === 1
  const names = markers.map(marker => marker || 'an unnamed person').join(' and ')
  throw new DataError(
    `${path}: ${names} have marked this sheet already, and a sheet has two markers. Use one of these names, or write a new sheet with audit --new.`,
    { code: 'sheet-has-two-markers' },
  )
}

function parseSheet(path: string, text: string): string[][] {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [',', ';', '\t'].find(sign => firstLine.split(sign).length >= 2) ?? ','
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    throw makeInvalidSheetError(path, `not a CSV file: ${(error as Error).message}`)
  }
}

function makeInvalidSheetError(path: string, problem: string): DataError {
  return new DataError(`${path}: ${problem}. Name a sheet that audit --sample wrote.`, {
    code: 'invalid-sheet',
  })
}
