import type { DocumentContent } from '../src/core/task.ts'
import { defaultTableFormat, tablesText } from './table-formats/formats.ts'

/** The text of a document that a benchmark supplies; tables are written in a format of `tableFormatNames`. */
export function textOfContent(content: DocumentContent, tableFormat: string = defaultTableFormat): string {
  return content.kind === 'text' ? content.text : tablesText(content.tables, tableFormat)
}
