import { connect } from 'node:net'
import { Agent, type buildConnector } from 'undici'
import { checkPageUrl } from './address-guard.ts'
import { networkFailure } from './failure-words.ts'
import { type ConnectionRules, sendWithRedirects } from './http-exchange.ts'
import type { Transport } from './transport.ts'

/**
 * Connects to a sealed web by its virtual addresses: every connection goes to 127.0.0.1:port, whatever host the URL
 * names. Addresses that the live web refuses are refused here too. Hosts outside the corpus are unknown names. All
 * 'service' requests go to the corpus's own search API.
 */
export function createSealedTransport(server: {
  readonly port: number
  readonly hosts: ReadonlySet<string>
}): Transport & { close(): Promise<void> } {
  const agent = new Agent({ connect: toPort(server.port), connections: 16 })
  const carrier: ConnectionRules = {
    check(url, purpose) {
      if (purpose === 'service') return new URL(url)
      const parsed = checkPageUrl(url)
      const known = parsed.port === '' && server.hosts.has(parsed.hostname.replace(/\.$/, ''))
      if (!known) throw networkFailure(url, 'ENOTFOUND')
      return parsed
    },
    wireUrl: url => {
      const wire = new URL(url)
      wire.protocol = 'http:'
      wire.port = ''
      return wire.href
    },
    dispatcher: () => agent,
  }
  return {
    name: 'sealed',
    send: (request, signal) => sendWithRedirects(request, carrier, signal),
    close: () => agent.destroy(),
  }
}

function toPort(port: number): buildConnector.connector {
  return (_options, callback) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.removeListener('error', failed)
      callback(null, socket)
    })
    socket.once('error', failed)
    function failed(error: Error): void {
      callback(error, null)
    }
  }
}
