/** The parts of an address that a sealed web compares: host and path, with or without the query. */
export function siteKey(url: string, { withQuery }: { readonly withQuery: boolean }): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const path = parsed.pathname.replace(/\/+$/, '')
  const place = `${parsed.hostname}${/%(?![0-9a-f]{2})/i.test(path) ? path : decoded(path)}`
  return withQuery ? `${place}${parsed.search}` : place
}

// Decodes bytes, because a path may contain escapes that are not UTF-8.
function decoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}
