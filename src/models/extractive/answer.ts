import { writeCsv } from '../../text/csv.ts'
import { removeBars } from '../../text/pipe-table.ts'
import { fillSchema } from '../schema-filling/fill-schema.ts'
import { labels, regex } from './labels.ts'
import { listingTable } from './listing.ts'
import { reportsTable } from './reports.ts'
import type { SeenDocument } from './search.ts'

/** The answer to a question. */
export interface WrittenAnswer {
  readonly text: string
  /**
   * Whether the question or the documents are of a known kind, and a rule of that kind found a row or a label. Always
   * true for JSON, which is filled by the names in the question's schema.
   */
  readonly hasMatch: boolean
}

/**
 * Writes a schema block and one fenced csv with all columns of the question's kind. For a question with a JSON schema,
 * it writes JSON.
 *
 * @param asked the question, with its schema if it has one
 */
export function writeAnswer(asked: string, documents: readonly SeenDocument[]): WrittenAnswer {
  const [query = '', schema = ''] = asked.split(/^# Schema\s*$/m)
  const json = fillSchema(schema, documents)
  if (json !== null) return { text: `\`\`\`json\n${json}\n\`\`\``, hasMatch: true }
  const plain = documents.map(({ name, text }) => ({ name, text: removeBars(text) }))
  const beginnings = plain.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const byQuestion = labels.kinds.find(({ question }) => regex(question, 'imu').test(query))
  const known = byQuestion ?? labels.kinds.find(({ content }) => regex(content, 'imu').test(beginnings))
  const kind = known ?? labels.kinds.at(-1)!
  const isListing = Object.keys(kind.columns).length > 0
  const { columns, rows, isFound } = isListing ? listingTable(kind, query, plain) : reportsTable(query, plain)
  const schemaEntries = columns.map((name, index) => {
    const isNumeric = rows.every(row => /^(?:-?[\d,.]+|null)$/.test(row[index] ?? 'null'))
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${isNumeric ? 'numeric' : 'text'}`
  })
  const csv = writeCsv([columns, ...rows.map(row => row.map(value => value ?? 'null'))])
  const text = `<schema>\n${schemaEntries.join('\n')}\n</schema>\n\`\`\`csv\n${csv}\`\`\``
  return { text, hasMatch: known !== undefined && isFound }
}
