const searches = /search|retriev/i
const fetches = /fetch|visit|open|brows|get_document|read_(?:pdf|page|url)|scrape|crawl/i

/** What a foreign tool does, by its name; null where that tells neither. */
export function kindOfTool(name: string): 'search' | 'fetch' | null {
  if (searches.test(name)) return 'search'
  return fetches.test(name) ? 'fetch' : null
}
