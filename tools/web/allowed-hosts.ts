import { isIP } from 'node:net'
import { ConfigError } from '../../src/core/errors.ts'

/** A host whose pages may be fetched although its address is not public, because the operator allows it. */
export interface AllowedHost {
  /** As URLs write it: lower case, IPv6 in brackets. */
  readonly hostname: string
  /** Null: every port. */
  readonly port: number | null
}

/** The host and port of a request. */
export interface HostAndPort {
  readonly hostname: string
  readonly port: number
}

/**
 * Parses `HOST` or `HOST:PORT`, the value of `--allow-host`: a name or an IP address, with IPv6 in brackets before
 * a port.
 *
 * @throws ConfigError `invalid-host` for other text, such as a URL or a wildcard
 */
export function parseAllowedHost(text: string): AllowedHost {
  const given = text.trim()
  const [, name = '', digits] = isIP(given) === 6 ? [given, `[${given}]`] : (hostAndPort.exec(given) ?? [])
  const port = digits === undefined ? null : Number(digits)
  const url = `http://${name}/`
  const isHost = name !== '' && URL.canParse(url) && new URL(url).pathname === '/'
  if (!isHost || (port !== null && (port < 1 || port > 65_535)))
    throw new ConfigError(
      `'${text}' is not a host. Write HOST or HOST:PORT, such as wiki.example.internal or 127.0.0.1:8080`,
      { code: 'invalid-host' },
    )
  return { hostname: plainHostname(new URL(url).hostname), port }
}

const hostAndPort = /^([\w.-]+|[^\s/:@?#*[\]\\]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

/** Returns whether the target of a request is one of the hosts. */
export function isAllowedHost(hosts: readonly AllowedHost[], { hostname, port }: HostAndPort): boolean {
  const plain = plainHostname(hostname)
  return hosts.some(host => host.hostname === plain && (host.port === null || host.port === port))
}

/** Returns the target of a URL's request. A missing port is replaced by the default port of the scheme. */
export function hostAndPortOf({ hostname, port, protocol }: URL): HostAndPort {
  const own = protocol === 'https:' ? 443 : 80
  return { hostname, port: port === '' ? own : Number(port) }
}

/** Removes a final dot, which does not change the host. */
function plainHostname(hostname: string): string {
  const plain = hostname.toLowerCase().replace(/\.+$/, '')
  return isIP(plain) === 6 ? `[${plain}]` : plain
}
