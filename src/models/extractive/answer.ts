import { fillSchema } from '../schema-filling/fill-schema.ts'
import { type Kind, labels, regex } from './labels.ts'
import { listingTable } from './listing.ts'
import { reportsTable } from './reports.ts'
import type { SeenDocument } from './table.ts'

/** A schema block and one fenced csv with every column that is known for such a question; JSON where it has a schema. */
export function writeAnswer(asked: string, documents: readonly SeenDocument[]): string {
  const [query = '', schema = ''] = asked.split(/^# Schema\s*$/m)
  const json = fillSchema(
    schema,
    documents.map(({ text }) => text),
  )
  if (json !== null) return `\`\`\`json\n${json}\n\`\`\``
  const text = documents.map(document => document.text.slice(0, 20_000)).join('\n')
  const fits = (where: string, pattern: string): boolean => regex(pattern, 'imu').test(where)
  const named = labels.kinds.find(kind => fits(query, kind.question))
  const kind: Kind = named ?? labels.kinds.find(({ content }) => fits(text, content)) ?? labels.kinds.at(-1)!
  const isListing = Object.keys(kind.columns).length > 0
  const { columns, rows } = isListing ? listingTable(kind, query, documents) : reportsTable(query, documents)
  const described = columns.map((name, index) => {
    const isNumeric = rows.every(row => /^(?:-?[\d,.]+|null)$/.test(row[index] ?? 'null'))
    const type = isNumeric ? 'numeric' : 'text'
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${type}`
  })
  const field = (one: string): string => (/[",\r\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)
  const lines = [columns, ...rows].map(row => row.map(value => field(value ?? 'null')).join(','))
  return `<schema>\n${described.join('\n')}\n</schema>\n\`\`\`csv\n${lines.join('\n')}\n\`\`\``
}
