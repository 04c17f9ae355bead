/** The same links come up search after search; beyond so many it begins anew. */
const mostKnown = 1_000
const known = new Map<string, string | null>()

/**
 * The key by which two links are the same page: scheme, fragment, trailing slash and utm_* parameters aside,
 * host in lower case, percent-escapes in one case. Null for what is no http(s) URL.
 */
export function canonicalUrl(link: string): string | null {
  const before = known.get(link)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const key = keyOf(link)
  known.set(link, key)
  return key
}

function keyOf(link: string): string | null {
  const url = httpUrl(link)
  if (url === null) return null
  const kept = url.search
    .slice(1)
    .split('&')
    .filter(parameter => parameter !== '' && !/^utm_/i.test(parameter))
  const host = url.host.replace(/:(?:80|443)$/, '')
  const path = url.pathname.replace(/\/+$/, '')
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`
  return `${host}${path}${query}`.replace(/%[0-9a-f]{2}/gi, triplet => triplet.toUpperCase())
}

/** The canonical URL, or the address trimmed where it is none: a key for whatever stood as an address in a trace. */
export function addressKey(address: string): string {
  return canonicalUrl(address) ?? address.trim()
}

/** The link as a URL object; null for what cannot be read or has another scheme than http and https. */
export function httpUrl(link: string): URL | null {
  const trimmed = link.trim()
  if (!URL.canParse(trimmed)) return null
  const url = new URL(trimmed)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}
