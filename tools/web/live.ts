import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { ToolError } from '../../src/core/errors.ts'
import { type AddressVerdict, checkPageUrl, classifyAddress, classifyAllowed } from './address-guard.ts'
import { type AllowedHost, isAllowedHost } from './allowed-hosts.ts'
import { type AnswerBlockList, createBlockList } from './block-list.ts'
import { type Carrier, exchange } from './http-exchange.ts'
import type { Transport } from './transport.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface LiveOptions {
  /** Places that publish the benchmark's answers; by default none. */
  readonly blockList?: AnswerBlockList
  /** Name resolution; by default the system's. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
  /** Which addresses a page may have; by default public ones only. */
  readonly classify?: (address: string) => AddressVerdict
  /** Hosts whose pages are fetched although their addresses are not public; by default none. */
  readonly allowedHosts?: readonly AllowedHost[]
}

/**
 * The live web. Pages: only http(s), only public addresses and allowed hosts, nothing on the block list, each redirect checked again;
 * a name is resolved once a connection and the connection goes to the very address that was checked. Services (what
 * the operator configured) are exempt, and their redirects are not followed. No proxy, no cookies, no cache.
 */
export function createLiveTransport(options: LiveOptions = {}): Transport & { close(): Promise<void> } {
  const { blockList = createBlockList([]), classify = classifyAddress, allowedHosts = [] } = options
  const resolve = options.resolve ?? (host => systemLookup(host, { all: true, verbatim: true }))
  const publicOnly = buildConnector({ lookup: guardedLookup(resolve, classify) })
  const allowed = buildConnector({ lookup: guardedLookup(resolve, classifyAllowed) })
  const pages = new Agent({
    connect: (target, callback) => {
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
      const isAllowed = isAllowedHost(allowedHosts, { hostname: target.hostname, port })
      return (isAllowed ? allowed : publicOnly)(target, callback)
    },
  })
  const services = new Agent()
  const carrier: Carrier = {
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
    send: (request, signal) => exchange(request, carrier, signal),
    close: async () => {
      await Promise.all([pages.destroy(), services.destroy()])
    },
  }
}

/**
 * A lookup for node:net that refuses a name as soon as one of its addresses is not public. It is called by the
 * connection itself, so an answer that changes between check and connect cannot get through.
 */
function guardedLookup(
  resolve: (host: string) => Promise<readonly ResolvedAddress[]>,
  classify: (address: string) => AddressVerdict,
): LookupFunction {
  return (host, lookupOptions, callback) => {
    const checked = async () => {
      const found = (await resolve(host)).map(entry => ({ ...entry }))
      for (const { address } of found) {
        const verdict = classify(address)
        if (verdict !== null)
          throw new ToolError('blocked', `${host} is not fetched: its address is ${verdict}`)
      }
      const first = found[0]
      if (first === undefined) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
      return { found, first }
    }
    checked().then(
      ({ found, first }) => {
        if (lookupOptions.all === true) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}
