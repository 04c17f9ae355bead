import { type Made, readPages, type ToolCall, textOf } from './search.ts'

/** What to do next for a question without documents: further calls, or an answer when there are none. */
export interface OpenStep {
  readonly calls: readonly ToolCall[]
  readonly text: string
  /** Whether a page with a table of the asked columns was found. */
  readonly isFound: boolean
}

/**
 * Decides what to do next for a question that names columns and no documents: searches for its first sentence, opens
 * the hits, and copies the rows of all tables that have every asked column.
 *
 * @returns null for a question that names no columns
 */
export function planOpenQuestion(query: string, made: Made): OpenStep | null {
  const columns = columnsOf(query)
  if (columns.length === 0) return null
  const asked = query.split(/[?.\n]/, 1)[0]!.trim()
  const search = made.find(({ name }) => name === 'web_search')
  if (search === undefined)
    return { calls: [{ name: 'web_search', args: { queries: [asked] } }], text: '', isFound: false }
  const pages = readPages(made)
  const hits = [...search.result.matchAll(/^ {3}URL: (\S+)/gm)].map(([, url = '']) => url)
  const calls = hits.filter(url => !pages.has(url)).map(url => ({ name: 'fetch_page', args: { url } }))
  const rows = [...pages.values()].flatMap(page => rowsOf(textOf(page), columns))
  const lines = [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return { calls, text: `\`\`\`markdown\n${lines.join('\n')}\n\`\`\``, isFound: rows.length > 0 }
}

function columnsOf(query: string): string[] {
  const listed = /\bcolumns\b[^:\n]{0,40}:[ \t]*([^\n]{1,500})/i.exec(query)?.[1] ?? ''
  return listed
    .replace(/\.\s*$/, '')
    .split(/,\s*/)
    .filter(name => name !== '')
}

/** Returns the asked cells of each row below a heading that has all asked columns. */
function rowsOf(text: string, columns: readonly string[]): string[][] {
  const rows: string[][] = []
  let places: number[] | null = null
  for (const line of text.split('\n')) {
    const cells = line.split(/[|\t]/).map(cell => cell.trim())
    const inHeading = columns.map(column => cells.indexOf(column))
    if (cells.length < columns.length) places = line.trim() === '' ? places : null
    else if (!inHeading.includes(-1)) places = inHeading
    else if (places !== null && !/^[\s|:-]+$/.test(line)) rows.push(places.map(place => cells[place] ?? ''))
  }
  return rows
}
