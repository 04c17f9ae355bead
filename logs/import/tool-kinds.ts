const searches = /search|retriev/i
const fetches = /fetch|visit|open|brows|get_document|read_(?:pdf|page|url)|scrape|crawl/i

/** Returns what a foreign tool does, judged by its name; null when the name indicates neither. */
export function kindOfTool(name: string): 'search' | 'fetch' | null {
  if (searches.test(name)) return 'search'
  return fetches.test(name) ? 'fetch' : null
}
