import type { DocumentContent } from '../src/core/task.ts'
import { defaultTableFormat, tablesText } from './table-formats/formats.ts'

/**
 * Returns the text of a document that a benchmark supplies.
 *
 * @param tableFormat one of `tableFormatNames`, for a document that consists of tables
 */
export function textOfContent(content: DocumentContent, tableFormat: string = defaultTableFormat): string {
  return content.kind === 'text' ? content.text : tablesText(content.tables, tableFormat)
}
