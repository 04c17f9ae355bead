const trackingParameter = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_cid|mc_eid)$/i

/**
 * One spelling for links to the same page: scheme, `www.`, default port, fragment, tracking parameters, their order,
 * percent-encoding and a closing slash aside, host in lower case. Null for what is no http(s) URL.
 */
export function canonicalUrl(link: string): string | null {
  const url = httpUrl(link)
  if (url === null) return null
  const kept = new URLSearchParams([...url.searchParams].filter(([name]) => !trackingParameter.test(name)))
  kept.sort()
  const host = url.host.replace(/^www\./, '').replace(/:(?:80|443)$/, '')
  const path = decodePath(url.pathname).replace(/\/+$/, '')
  return `${host}${path}${kept.size === 0 ? '' : `?${kept}`}`
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

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
