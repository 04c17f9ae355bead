import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { ConfigError, ToolError } from '../../src/core/errors.ts'
import {
  type AddressVerdict,
  type AllowedHost,
  checkPageUrl,
  classifyAddress,
  classifyAllowedHostAddress,
  isAllowedHost,
} from './address-guard.ts'
import { type AnswerBlockList, createBlockList } from './block-list.ts'
import { type ConnectionRules, sendWithRedirects } from './http-exchange.ts'
import type { Transport, WebRequest } from './transport.ts'

/** An address that a host name resolved to. */
interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** What the live web allows. */
export interface LiveOptions {
  /** Pages that publish the benchmark's answers; none by default. */
  readonly blockList?: AnswerBlockList
  /** Resolves names; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Decides which addresses a page may have; only public ones by default. */
  readonly classify?: (address: string) => AddressVerdict
  /** Hosts whose pages are fetched although their addresses are not public; none by default. */
  readonly allowedHosts?: readonly AllowedHost[]
  /** Names this program to the servers of pages; by default the `user-agent` of the request. */
  readonly userAgent?: string | null
  /** The proxies of this system; none by default. */
  readonly proxies?: SystemProxies | null
}

/**
 * Creates the live web. Pages must use http(s) and have a public address or an allowed host, and must not be on the
 * block list. Each redirect is checked again. A name is resolved once per connection, and the connection uses
 * exactly the address that was checked. Services, which the operator configured, are exempt, and their redirects
 * are not followed. There is no cache, and cookies live for one chain of redirects.
 *
 * Behind a proxy of the system, the proxy resolves the names. The guard then checks the address as it is written and
 * each redirect, but not what a name resolves to.
 */
export function createLiveTransport(options: LiveOptions = {}): Transport & { close(): Promise<void> } {
  const { blockList = createBlockList([]), classify = classifyAddress, allowedHosts = [] } = options
  const resolve = options.resolve ?? (host => systemLookup(host, { all: true, verbatim: true }))
  const publicOnly = buildConnector({ lookup: createGuardedLookup(resolve, classify) })
  const allowed = buildConnector({ lookup: createGuardedLookup(resolve, classifyAllowedHostAddress) })
  const connect: buildConnector.connector = (target, callback) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const isAllowed = isAllowedHost(allowedHosts, { hostname: target.hostname, port })
    return (isAllowed ? allowed : publicOnly)(target, callback)
  }
  const { proxies = null, userAgent = null } = options
  const pages = createDispatcher(proxies, { connect })
  const services = createDispatcher(proxies, {})
  const carrier: ConnectionRules = {
    check(url, purpose) {
      if (purpose === 'service') return new URL(url)
      blockList.check(url)
      return checkPageUrl(url, classify, allowedHosts)
    },
    wireUrl: url => url.href,
    dispatcher: purpose => (purpose === 'page' ? pages : services),
  }
  return {
    name: 'live',
    send: (request, signal) => sendWithRedirects(addUserAgent(request, userAgent), carrier, signal),
    close: async () => {
      await Promise.all([pages.destroy(), services.destroy()])
    },
  }
}

/** Names this program in requests for pages. Services keep their own headers. */
function addUserAgent(request: WebRequest, userAgent: string | null): WebRequest {
  if (userAgent === null || request.purpose === 'service') return request
  return { ...request, headers: { ...request.headers, 'user-agent': userAgent } }
}

/** Some sites send security policies longer than the 16 KB that Node.js allows; browsers allow 256 KB. */
const maxHeaderBytes = 262_144

/** Connects directly without a proxy, and to the hosts that need none. Only direct connections use `options`. */
function createDispatcher(proxies: SystemProxies | null, connections: Agent.Options): Dispatcher {
  const options = { ...connections, maxHeaderSize: maxHeaderBytes }
  return proxies === null ? new Agent(options) : new EnvHttpProxyAgent({ ...options, ...proxies })
}

/**
 * Creates a lookup for node:net that refuses a name when one of its addresses is not public. The connection itself
 * calls it, so an address that changes between check and connection is caught.
 */
function createGuardedLookup(
  resolve: (host: string) => Promise<readonly ResolvedAddress[]>,
  classify: (address: string) => AddressVerdict,
): LookupFunction {
  return (host, lookupOptions, callback) => {
    const checked = async () => {
      const addresses = (await resolve(host)).map(entry => ({ ...entry }))
      for (const { address } of addresses) {
        const verdict = classify(address)
        if (verdict !== null)
          throw new ToolError('blocked', `${host} is not fetched: its address is ${verdict}`)
      }
      const first = addresses[0]
      if (first === undefined) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
      return { found: addresses, first }
    }
    checked().then(
      ({ found: addresses, first }) => {
        if (lookupOptions.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** The proxies that the environment names, as undici takes them. */
interface SystemProxies {
  /** The proxy for http addresses; '' for none. */
  readonly httpProxy: string
  /** The proxy for https addresses; '' for none. */
  readonly httpsProxy: string
  /** Hosts that are reached without a proxy, separated by commas. */
  readonly noProxy: string
}

/** Hosts of this machine are never reached through a proxy. */
const ownHosts = 'localhost,127.0.0.1,[::1]'

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The names in lower case take precedence, as in curl.
 *
 * @returns null when no proxy is set
 * @throws ConfigError `invalid-url`
 */
export function readSystemProxies(env: NodeJS.ProcessEnv): SystemProxies | null {
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY ?? ''
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY ?? ''
  if (httpProxy === '' && httpsProxy === '') return null
  for (const [name, proxy] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy }))
    if (proxy !== '' && !URL.canParse(proxy))
      throw new ConfigError(
        `${name}: '${proxy}' is not the address of a proxy. Write one such as http://127.0.0.1:3128.`,
        { code: 'invalid-url' },
      )
  const exceptions = env.no_proxy ?? env.NO_PROXY ?? ''
  const noProxy =
    exceptions.trim() === '*' ? '*' : [ownHosts, exceptions].filter(part => part !== '').join(',')
  return { httpProxy, httpsProxy, noProxy }
}
