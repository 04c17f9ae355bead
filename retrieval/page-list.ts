/** Page numbers as a reader writes them: `page 3`, `pages 1-4, 7`. Ascending, each once. */
export function pageList(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === page - 1) last[1] = page
    else ranges.push([page, page])
  }
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
  return `${pages.length === 1 ? 'page' : 'pages'} ${text}`
}
