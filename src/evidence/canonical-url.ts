const trackingParameter = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_cid|mc_eid)$/i

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/**
 * One spelling for addresses that name the same page: scheme, `www.`, default port, fragment, tracking parameters,
 * their order, percent-encoding and a closing slash aside. What is no URL is given back trimmed.
 */
export function canonicalUrl(address: string): string {
  if (!URL.canParse(address)) return address.trim()
  const url = new URL(address)
  const parameters = [...url.searchParams].filter(([name]) => !trackingParameter.test(name))
  const query = parameters
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&')
  const host = url.host.replace(/^www\./, '').replace(/:(?:80|443)$/, '')
  const path = decodePath(url.pathname).replace(/\/+$/, '')
  return `${host}${path}${query === '' ? '' : `?${query}`}`
}
