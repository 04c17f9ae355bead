import { labels } from './labels.ts'
import { listRows, readSource, type SeenDocument, type Table } from './listing.ts'
import { reportsTable } from './reports.ts'

/** The whole answer: a schema block and one fenced csv with every column that labels.json has for such a question. */
export function writeAnswer(query: string, documents: readonly SeenDocument[]): string {
  const { columns, rows } = buildTable(query, documents)
  const schema = columns.map((name, index) => {
    const numeric = rows.every(row => /^(?:-?[\d,.]+|null)$/.test(row[index] ?? 'null'))
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${numeric ? 'numeric' : 'text'}`
  })
  const field = (value: string): string =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  const lines = [columns, ...rows].map(row => row.map(value => field(value ?? 'null')).join(','))
  return `<schema>\n${schema.join('\n')}\n</schema>\n\`\`\`csv\n${lines.join('\n')}\n\`\`\``
}

/** The kind of table by words of the question, or of the documents where the question does not tell. */
function buildTable(query: string, documents: readonly SeenDocument[]): Table {
  const { listings, reports } = labels
  const text = documents.map(document => document.text.slice(0, 20_000)).join('\n')
  const listing =
    listings.find(({ question }) => new RegExp(question, 'i').test(query)) ??
    (new RegExp(reports.question, 'i').test(query)
      ? undefined
      : listings.find(({ content }) => content !== undefined && new RegExp(content, 'im').test(text)))
  if (listing === undefined) return reportsTable(query, documents)
  const titles = documents.map(({ text }) =>
    readSource('document first: {title}', { document: text.slice(0, 6_000) }),
  )
  const given = { ...new RegExp(listing.question, 'i').exec(query)?.groups, titles: titles.join('\n') }
  const columns = Object.keys(listing.columns)
  return { columns, rows: documents.flatMap(document => listRows(listing, document, given)) }
}
