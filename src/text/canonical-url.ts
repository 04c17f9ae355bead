/** The size of the cache, which is emptied when it is full. The same links occur in search after search. */
const cacheSize = 1_000
const cache = new Map<string, string | null>()

/**
 * Returns a key that links to the same page share. It lacks scheme, fragment, trailing slash and utm_*
 * parameters; the host is in lower case and percent escapes are in upper case. Returns null for a text that
 * is not an http(s) URL.
 */
export function writeCanonicalUrl(link: string): string | null {
  const cachedKey = cache.get(link)
  if (cachedKey !== undefined) return cachedKey
  if (cache.size >= cacheSize) cache.clear()
  const key = computeKey(link)
  cache.set(link, key)
  return key
}

function computeKey(link: string): string | null {
  const url = parseHttpUrl(link)
  if (url === null) return null
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter(parameter => parameter !== '' && !/^utm_/i.test(parameter))
  const host = url.host.replace(/:(?:80|443)$/, '')
  const path = url.pathname.replace(/\/+$/, '')
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  return `${host}${path}${query}`.replace(/%[0-9a-f]{2}/gi, triplet => triplet.toUpperCase())
}

/** Returns the canonical URL of an address in a trace, or the trimmed text when it is not an http(s) URL. */
export function writeAddressKey(address: string): string {
  return writeCanonicalUrl(address) ?? address.trim()
}

/** Parses a link. Returns null for an invalid link, and for other schemes than http and https. */
export function parseHttpUrl(link: string): URL | null {
  const trimmed = link.trim()
  if (!URL.canParse(trimmed)) return null
  const url = new URL(trimmed)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}

/** Decodes the percent escapes of a part of an address. Returns the part as it is when an escape is wrong, such as a single `%`. */
export function decodePercents(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
