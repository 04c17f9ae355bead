interface Cookie {
  readonly value: string
  /** The host that set the cookie, or the domain that it named. */
  readonly domain: string
  readonly isForSubdomains: boolean
  readonly path: string
  readonly isSecure: boolean
}

/** The cookies that a chain of redirects sets. They are sent back in the same chain only, and then forgotten. */
export class RedirectCookies {
  readonly #cookies = new Map<string, Cookie>()

  /** @param lines the values of the Set-Cookie headers of an answer of `url` */
  add(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const at = pair.indexOf('=')
      if (at <= 0) continue
      const attribute = (name: string): string | null => {
        const match = attributes.find(part => part.toLowerCase().split('=')[0]?.trim() === name)
        return match === undefined ? null : match.slice(match.indexOf('=') + 1).trim()
      }
      const named = (attribute('domain') ?? '').replace(/^\./, '').toLowerCase()
      // A domain without a dot, such as `com`, would send the cookie everywhere.
      const isForSubdomains = named.includes('.') && isWithin(url.hostname, named)
      if (named !== '' && named !== url.hostname && !isForSubdomains) continue
      const path = attribute('path') ?? ''
      const cookie = {
        value: pair.slice(at + 1),
        domain: isForSubdomains ? named : url.hostname,
        isForSubdomains,
        path: path.startsWith('/') ? path : '/',
        isSecure: attribute('secure') !== null,
      }
      const key = `${pair.slice(0, at)}\n${cookie.domain}\n${cookie.path}`
      const isDeleted =
        Number(attribute('max-age') ?? 1) <= 0 || Date.parse(attribute('expires') ?? '') < oldestMs
      if (isDeleted) this.#cookies.delete(key)
      else this.#cookies.set(key, cookie)
    }
  }

  /** Returns the Cookie header of a request; null when there is none. */
  headerFor(url: URL): string | null {
    const pairs = [...this.#cookies].flatMap(([key, { value, domain, isForSubdomains, path, isSecure }]) => {
      const isHost = url.hostname === domain || (isForSubdomains && isWithin(url.hostname, domain))
      const isPath = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
      return isHost && isPath && (!isSecure || url.protocol === 'https:')
        ? [`${key.split('\n')[0]}=${value}`]
        : []
    })
    return pairs.length === 0 ? null : pairs.join('; ')
  }
}

/** Servers delete a cookie by a date long ago. No clock is read, so that a replay sends what the run sent. */
const oldestMs = Date.parse('2000-01-01')

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
