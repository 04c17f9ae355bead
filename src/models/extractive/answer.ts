import { writeCsv } from '../../core/csv.ts'
import { fillSchema } from '../schema-filling/fill-schema.ts'
import { labels, regex } from './labels.ts'
import { listingTable } from './listing.ts'
import { reportsTable } from './reports.ts'
import type { SeenDocument } from './search.ts'

export interface WrittenAnswer {
  readonly text: string
  /**
   * Whether the question or the documents are of a known kind, and a rule of that kind found a row or a label. Always true
   * for JSON, which is filled by the schema's own names.
   */
  readonly hasMatch: boolean
}

/** A schema block and one fenced csv with every column that is known for such a question; JSON where it has a schema. */
export function writeAnswer(asked: string, documents: readonly SeenDocument[]): WrittenAnswer {
  const [query = '', schema = ''] = asked.split(/^# Schema\s*$/m)
  const json = fillSchema(schema, documents)
  if (json !== null) return { text: `\`\`\`json\n${json}\n\`\`\``, hasMatch: true }
  const begun = documents.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const named = labels.kinds.find(({ question }) => regex(question, 'imu').test(query))
  const fitting = named ?? labels.kinds.find(({ content }) => regex(content, 'imu').test(begun))
  const kind = fitting ?? labels.kinds.at(-1)!
  const isListing = Object.keys(kind.columns).length > 0
  const { columns, rows, isFound } = isListing
    ? listingTable(kind, query, documents)
    : reportsTable(query, documents)
  const described = columns.map((name, index) => {
    const isNumeric = rows.every(row => /^(?:-?[\d,.]+|null)$/.test(row[index] ?? 'null'))
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${isNumeric ? 'numeric' : 'text'}`
  })
  const csv = writeCsv([columns, ...rows.map(row => row.map(value => value ?? 'null'))])
  const text = `<schema>\n${described.join('\n')}\n</schema>\n\`\`\`csv\n${csv}\`\`\``
  return { text, hasMatch: fitting !== undefined && isFound }
}
