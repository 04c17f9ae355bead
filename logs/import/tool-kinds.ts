// Helper agents that are called as tools often have `research` in their names. They are not search tools.
const searches = /(?<!re)search|retriev/i
const fetches = /fetch|visit|open|brows|get_document|read_(?:pdf|page|url)|scrape|crawl|^access/i

/** Returns the name of a tool without its MCP server, as in `mcp__docs__search` or `docs__search`. */
export function withoutServer(name: string): string {
  return name.replace(/^.+__(?=[^_])/, '')
}

/** Returns the kind of a foreign tool by its name, without that of its server; null when the name indicates neither. */
export function guessToolKind(name: string): 'search' | 'fetch' | null {
  const baseName = withoutServer(name)
  if (searches.test(baseName)) return 'search'
  return fetches.test(baseName) ? 'fetch' : null
}

/** Counts the calls of search and page tools by the tools' names. */
export function countKinds(tools: readonly string[]): { searchCalls: number; fetchCalls: number } {
  const countKind = (kind: 'search' | 'fetch'): number =>
    tools.filter(tool => guessToolKind(tool) === kind).length
  return { searchCalls: countKind('search'), fetchCalls: countKind('fetch') }
}
