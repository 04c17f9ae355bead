import { isMissing } from '../pandas/column.ts'
import { pythonKeyText } from '../python/text.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { GoldTable } from './gold-table.ts'
import type { RowKeyText } from './row-match.ts'

const file = String.raw`[^()[\]]{1,120}\.(?:pdf|docx?|xlsx?|pptx?|html?|txt|md|csv)`
const numbers = String.raw`\^?\d{1,3}(?:\s?[-–,;]\s?\^?\d{1,3})*`
const link = String.raw`\[[^[\]]{1,200}\]\(<?https?://[^\s()]+>?\)`
const source = String.raw`(?:source|sources|src|cite|cited|citation|ref|reference|see|doc|document|来源|來源|出处|quelle|fuente|fonte)`

/** Marks that models put after a value to say where they read it. */
const mark = [
  String.raw`【[^【】]{1,120}】`,
  String.raw`\ue200[^\ue200\ue201]{1,200}\ue201`,
  String.raw`:?contentReference\[oaicite:\d+\](?:\{[^{}]{0,40}\})?|\[oaicite:\d+\]`,
  String.raw`\^?\[{1,2}${numbers}\]{1,2}(?:\(<?https?://[^\s()]+>?\))?\^?`,
  String.raw`<sup>\s*\[${numbers}\]\s*</sup>`,
  String.raw`[([]pp?\.\s?\d{1,4}(?:\s?[-–]\s?\d{1,4})?[)\]]`,
  String.raw`\(${link}(?:[,;]\s*${link})*\)`,
  String.raw`[([]\s*${source}s?(?:\s*[:：]\s*[^()[\]]{1,200}|\s*#?\d{1,3}|\s+${file}[^()[\]]{0,40})[)\]]`,
  String.raw`[([]${file}(?:\s*[,:;#]\s*[^()[\]]{1,40})?[)\]]`,
  String.raw`\[(?:source|link|\d{1,3})\]\(<?https?://[^\s()]+>?\)`,
  String.raw`（(?:来源|來源|出处)[:：][^（）]{1,200}）`,
  // Letters after a space are units: 12 [a].
  String.raw`(?<=\S)\[[a-f]\]`,
  String.raw`\[(?:note|nb|fn|n)\s?\d{1,3}\]|\[(?:citation needed|better source needed|clarification needed)\]`,
].join('|')

/** Marks count after a value, at its end or at the end of one of its items. */
const marks = new RegExp(String.raw`(?<=[^\s;,；、，|])\s*(?:(?:${mark})\s*)+(?=$|[;,；、，|\n.])`, 'giu')
const wholeLink = /^\[([^[\]]{1,200})\]\(<?https?:\/\/[^\s()]+>?\)$/u
const citeStart = /^\[cite_start\]\s*/u
const mayHaveMark = /[[(【（\ue200<]|oaicite/

/** Returns a value without the marks of its sources: `12 [1]`, `12 【3†source】`, `12 (source: report.pdf)`, `[12](https://…)`. */
export function withoutCitationMarks(text: string): string {
  if (!mayHaveMark.test(text)) return text
  return text.replace(citeStart, '').replace(marks, '').replace(wholeLink, '$1')
}

/** The values of a table as written and stripped; '' for what pandas reads as missing. */
export interface RawTable {
  /** The key texts of each row. */
  readonly keys: readonly (readonly string[])[]
  /** One text for each row, by target column. */
  readonly targets: readonly (readonly string[])[]
}

/** The raw table of the gold. */
export function makeRawGold(gold: GoldTable): RawTable {
  return makeRawTable(gold, gold.rowCount, name => gold.values.get(name) ?? null)
}

/**
 * The raw table of an answer. Columns that it lacks are empty.
 *
 * @param readsMarks whether the marks of sources are left out, except in columns whose gold has such marks or addresses
 */
export function makeRawAnswer(gold: GoldTable, answer: AlignedAnswer, readsMarks: boolean): RawTable {
  const withoutMarks = (name: string): readonly string[] | null => {
    const values = answer.columnOf(name)
    const plain = values?.map(withoutCitationMarks) ?? null
    const isMarked = plain?.some((text, row) => text !== values![row]) === true
    const hasMark = (text: string): boolean => text.includes('://') || withoutCitationMarks(text) !== text
    return isMarked && !gold.values.get(name)!.some(hasMark) ? plain : values
  }
  return makeRawTable(gold, answer.rowCount, readsMarks ? withoutMarks : answer.columnOf)
}

/** The key of a row, as the row rules compare it. */
export const makeRawKey = (table: RawTable, row: number): RowKeyText => ({
  parts: table.keys[row]!,
  text: pythonKeyText(table.keys[row]!),
})

function makeRawTable(
  gold: GoldTable,
  rowCount: number,
  columnOf: (name: string) => readonly string[] | null,
): RawTable {
  const cleanTable = (name: string): string[] => {
    const values = columnOf(name)
    return Array.from({ length: rowCount }, (_, row) => cleanText(values?.[row] ?? ''))
  }
  const keyColumns = gold.keyColumns.map(cleanTable)
  return {
    keys: Array.from({ length: rowCount }, (_, row) => keyColumns.map(column => column[row]!)),
    targets: gold.targetColumns.map(cleanTable),
  }
}

function cleanText(value: string): string {
  const text = value.trim()
  return isMissing(text) ? '' : text
}
