import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { ConfigError, ToolError } from '../../src/core/errors.ts'
import { clipText } from '../../src/text/plain-text.ts'
/** Why an address is refused; null for a public address. */
export type AddressVerdict = string | null

const refusedRanges: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this machine'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers, private'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local, cloud metadata'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved for documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved for benchmarks'],
  ['198.51.100.0/24', 'reserved for documentation'],
  ['203.0.113.0/24', 'reserved for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['2001::/23', 'reserved (Teredo and others)'],
  ['2001:db8::/32', 'reserved for documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'reserved for documentation'],
]

/** Makes a list of ranges in CIDR notation. */
function parseRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

// Both lists are made on first use, because they take time and most commands read no page.
let refusedLists: { readonly list: BlockList; readonly reason: string; readonly family: number }[] | null =
  null
let metadataList: BlockList | null = null

/**
 * Decides whether an IP address (as text, in any spelling that node:net reads) belongs to the public internet.
 * Refused are IANA's special-purpose registries, cloud metadata services, IPv4 inside IPv6 (mapped, compatible,
 * NAT64), addresses outside 2000::/3, and the addresses of this machine's network cards.
 */
export function classifyAddress(address: string): AddressVerdict {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return 'no IP address'
  if (family === 4) return classifyIn(bare, 4)
  const words = splitIpv6(bare)
  const embedded = findEmbeddedIpv4(words)
  if (embedded !== null) return classifyAddress(embedded)
  if (((words[0] ?? 0) & 0xe000) !== 0x2000) return 'not a global IPv6 address'
  return classifyIn(bare, 6)
}

/** Metadata addresses, where clouds return credentials to every caller inside the cloud. */
const metadataRanges = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fe80::/10',
]

/**
 * Decides whether a host that the operator allows may resolve to an address. Only cloud metadata services are
 * refused, so that a name on the intranet never leads to a machine's credentials.
 */
export function classifyAllowedHostAddress(address: string): AddressVerdict {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return 'no IP address'
  const embedded = family === 6 ? findEmbeddedIpv4(splitIpv6(bare)) : null
  // The IPv6 addresses :: and ::1 look like addresses with an embedded IPv4 address.
  if (embedded !== null) return classifyAllowedHostAddress(embedded)
  metadataList ??= parseRanges(metadataRanges)
  return metadataList.check(bare, family === 6 ? 'ipv6' : 'ipv4') ? 'link-local, cloud metadata' : null
}

function classifyIn(address: string, family: 4 | 6): AddressVerdict {
  const name = family === 4 ? 'ipv4' : 'ipv6'
  refusedLists ??= refusedRanges.map(([range, reason]) => ({
    list: parseRanges([range]),
    reason,
    family: isIP(range.split('/')[0]!),
  }))
  const range = refusedLists.find(entry => entry.family === family && entry.list.check(address, name))
  return range?.reason ?? (listOwnAddresses(name).check(address, name) ? 'this machine' : null)
}

function listOwnAddresses(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const card of Object.values(networkInterfaces()).flatMap(entries => entries ?? [])) {
    if (card.family.toLowerCase() === family) list.addAddress(card.address, family)
  }
  return list
}

/**
 * Returns the IPv4 address embedded in a mapped (::ffff:a.b.c.d), compatible (::a.b.c.d) or NAT64
 * (64:ff9b::a.b.c.d) address.
 */
function findEmbeddedIpv4(words: readonly number[]): string | null {
  const head = words.slice(0, 6).join(':')
  const prefixes = ['0:0:0:0:0:65535', '0:0:0:0:65535:0', '0:0:0:0:0:0', `${0x64}:${0xff9b}:0:0:0:0`]
  if (!prefixes.includes(head)) return null
  const [high = 0, low = 0] = words.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function splitIpv6(address: string): number[] {
  const dotted = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = dotted.split('::')
  const words = (part: string) => (part === '' ? [] : part.split(':').map(word => Number.parseInt(word, 16)))
  if (tail === undefined) return words(head)
  const missing = 8 - words(head).length - words(tail).length
  return [...words(head), ...Array<number>(missing).fill(0), ...words(tail)]
}

const privateNames =
  /^(localhost|broadcasthost|.*\.(localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|svc))$/

/**
 * Validates a URL named by an agent or a page, before anything is resolved or sent.
 *
 * @throws ToolError `bad-input` when the URL is not absolute
 * @throws ToolError `blocked` for schemes other than http(s) and for user names inside the URL. Unless the operator
 * allows the host, also for private names and for addresses that are not public, in every spelling that a URL
 * permits
 */
export function checkPageUrl(
  url: string,
  classify: (address: string) => AddressVerdict = classifyAddress,
  allowedHosts: readonly AllowedHost[] = [],
): URL {
  if (!URL.canParse(url)) throw new ToolError('bad-input', `not an absolute URL: ${clipText(url, 200)}`)
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new ToolError('blocked', `only http and https addresses are fetched, not ${parsed.protocol}`)
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ToolError('blocked', `addresses with a user name are not fetched: ${parsed.host}`)
  }
  if (isAllowedHost(allowedHosts, targetOfUrl(parsed))) return parsed
  const host = parsed.hostname.toLowerCase().replace(/\.+$/, '')
  const verdict = isIP(host.replace(/^\[|\]$/g, '')) !== 0 ? classify(host) : classifyName(host)
  if (verdict !== null) throw new ToolError('blocked', `${host} is not fetched: ${verdict}`)
  return parsed
}

function classifyName(host: string): AddressVerdict {
  if (!host.includes('.')) return 'a name of this machine or its network'
  return privateNames.test(host) ? 'a name of this machine or its network' : null
}

/** A host whose pages may be fetched although its address is not public, because the operator allows it. */
export interface AllowedHost {
  /** As URLs write it: lower case, IPv6 in brackets. */
  readonly hostname: string
  /** Null: every port. */
  readonly port: number | null
}

/** The host and port of a request. */
interface HostAndPort {
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
  const trimmed = text.trim()
  const [, name = '', digits] =
    isIP(trimmed) === 6 ? [trimmed, `[${trimmed}]`] : (hostAndPort.exec(trimmed) ?? [])
  const port = digits === undefined ? null : Number(digits)
  const url = `http://${name}/`
  const isHost = name !== '' && URL.canParse(url) && new URL(url).pathname === '/'
  if (!isHost || (port !== null && (port < 1 || port > 65_535)))
    throw new ConfigError(
      `'${text}' is not a host. Write HOST or HOST:PORT, such as wiki.example.internal or 127.0.0.1:8080`,
      { code: 'invalid-host' },
    )
  return { hostname: normaliseHostname(new URL(url).hostname), port }
}

const hostAndPort = /^([\w.-]+|[^\s/:@?#*[\]\\]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

/** Returns whether the target of a request is one of the hosts. */
export function isAllowedHost(hosts: readonly AllowedHost[], { hostname, port }: HostAndPort): boolean {
  const plain = normaliseHostname(hostname)
  return hosts.some(host => host.hostname === plain && (host.port === null || host.port === port))
}

/** Returns the target of a URL's request. A missing port is replaced by the default port of the scheme. */
export function targetOfUrl({ hostname, port, protocol }: URL): HostAndPort {
  const defaultPort = protocol === 'https:' ? 443 : 80
  return { hostname, port: port === '' ? defaultPort : Number(port) }
}

/** Removes a final dot, which does not change the host. */
function normaliseHostname(hostname: string): string {
  const plain = hostname.toLowerCase().replace(/\.+$/, '')
  return isIP(plain) === 6 ? `[${plain}]` : plain
}
