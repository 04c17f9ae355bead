import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type Duplex, finished } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { closeServer, listenOnLocalhost } from '../../../src/system/listen.ts'
import { createOwnedFolder } from '../../../src/system/owned-folder.ts'
import { createSecretCheck } from '../../../src/system/secret-check.ts'
import type { GatewaySession } from '../session.ts'
import { type CertificateAuthority, certificateAuthority } from './certificates.ts'
import { createExchange, type ProxyOptions, plainReply } from './exchange.ts'

/** The HTTP proxy of one attempt. */
export interface AgentProxy {
  /** Environment variables that make an agent use the proxy and trust its certificates. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Further connections are closed at once. */
const mostConnections = 256
/** Time for a client to send something through an open connection. */
const idleMs = 120_000
const user = 'tablehunt'

/**
 * Opens the proxy of an attempt on 127.0.0.1, with a password for the attempt. Its requests go to the same web as those of
 * fetch_page. TLS connections end at the proxy, with a certificate of this process's own authority.
 */
export async function openProxy(session: GatewaySession, options: ProxyOptions): Promise<AgentProxy> {
  const authority = await certificateAuthority()
  const folder = await createOwnedFolder('proxy')
  const certificates = join(folder.path, 'ca.pem')
  await writeFile(certificates, authority.certificate)
  const password = randomBytes(16).toString('hex')
  const sockets = new Set<Duplex>()
  const server = openServer({ session, options, authority, password, sockets })
  const port = await listenOnLocalhost(server, 0)
  return {
    variables: buildVariables(`http://${user}:${password}@127.0.0.1:${port}`, certificates),
    async close() {
      for (const socket of sockets) socket.destroy()
      await closeServer(server)
      await folder.remove()
    },
  }
}

function buildVariables(address: string, certificates: string): Record<string, string> {
  const inBothCases = { HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NO_PROXY: loopback }
  return {
    ...inBothCases,
    ...Object.fromEntries(Object.entries(inBothCases).map(([name, value]) => [name.toLowerCase(), value])),
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: certificates,
    // These replace the system's list of authorities. Everything that an agent reaches by TLS is behind the proxy.
    SSL_CERT_FILE: certificates,
    REQUESTS_CA_BUNDLE: certificates,
    CURL_CA_BUNDLE: certificates,
  }
}

const challenge = 'Proxy-Authenticate: Basic realm="tablehunt"\r\n'
const loopback = '127.0.0.1,localhost'

interface ServerInput {
  readonly session: GatewaySession
  readonly options: ProxyOptions
  readonly authority: CertificateAuthority
  readonly password: string
  /** Tunnelled connections, which the HTTP server no longer counts. */
  readonly sockets: Set<Duplex>
}

function openServer({ session, options, authority, password, sockets }: ServerInput): Server {
  const isKnown = passwordCheck(password)
  const origins = new WeakMap<object, string>()
  const answer = requestAnswerer(createExchange(session, options), origins, isKnown)
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent && !response.destroyed) refuse(response, 403, 'The attempt is over.')
      else response.destroy()
    })
  })
  server.maxConnections = mostConnections
  const tunnels = new Tunnels({ server, authority, sockets, origins })
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnels.track(socket)
    const target = readTarget(request.url ?? '')
    if (!isKnown(request)) endWith(socket, 407, 'Proxy Authentication Required', challenge)
    else if (target === null) endWith(socket, 403, 'Forbidden')
    else tunnels.accept(socket, target, head)
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => endWith(socket, 403, 'Forbidden'))
  server.on('clientError', (_error: Error, socket: Duplex) => {
    if (socket.writable) endWith(socket, 400, 'Bad Request')
    else socket.destroy()
  })
  return server
}

/** Returns whether a request has the password of the attempt. */
function passwordCheck(password: string): (request: IncomingMessage) => boolean {
  const isPassword = createSecretCheck(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  return ({ headers }) => isPassword(headers['proxy-authorization'])
}

type PageExchange = ReturnType<typeof createExchange>

/** Returns a function that answers requests: those with a whole address, and those within a tunnel to an origin. */
function requestAnswerer(
  exchange: PageExchange,
  origins: WeakMap<object, string>,
  isKnown: (request: IncomingMessage) => boolean,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const origin = origins.get(request.socket)
    if (origin === undefined && !isKnown(request)) {
      response.setHeader('proxy-authenticate', 'Basic realm="tablehunt"')
      return refuse(response, 407, 'This proxy belongs to one attempt. Use the address in HTTP_PROXY.')
    }
    const { url: authority = '' } = request
    const url = origin === undefined ? authority : `${origin}${authority}`
    const isComplete = origin === undefined ? /^https?:\/\/[^/]/i.test(authority) : authority.startsWith('/')
    if (!isComplete || !URL.canParse(url))
      return refuse(response, 400, 'This is a proxy: ask for a complete address, such as http://host/path.')
    await exchange(url, request, response)
  }
}

interface TunnelsInput {
  readonly authority: CertificateAuthority
  readonly sockets: Set<Duplex>
  readonly server: Server
  /** Receives the origin to which the requests of a connection go. */
  readonly origins: WeakMap<object, string>
}

/** The connections that clients opened by CONNECT. They end here, and the server reads their requests. */
class Tunnels {
  readonly #input: TunnelsInput

  constructor(input: TunnelsInput) {
    this.#input = input
  }

  /** Counts a connection until it is closed. */
  track(socket: Duplex): void {
    const { sockets } = this.#input
    sockets.add(socket)
    finished(socket, () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  /**
   * Opens a tunnel. The first byte tells TLS from plain HTTP. A client of another protocol, such as SSH, gets no
   * answer.
   */
  accept(socket: Duplex, target: TunnelTarget, head: Buffer): void {
    const connection = socket as Socket
    connection.setTimeout(idleMs, () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const begin = (first: Buffer): void => {
      // From here on the server's own limits apply.
      connection.setTimeout(0)
      socket.unshift(first)
      if (first[0] === 0x16) this.#speakTls(socket, target).catch(() => socket.destroy())
      else this.#speak(socket, `http://${target.authority}`)
    }
    if (head.length > 0) begin(head)
    else socket.once('data', begin)
  }

  async #speakTls(socket: Duplex, { host, authority: named }: TunnelTarget): Promise<void> {
    socket.pause()
    const secureContext = await this.#input.authority.secureContextFor(host)
    const secured = new TLSSocket(socket as Socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
    })
    this.track(secured)
    this.#speak(secured, `https://${named}`)
  }

  #speak(socket: Duplex, origin: string): void {
    // Without the port when it is the usual one.
    this.#input.origins.set(socket, new URL(origin).origin)
    this.#input.server.emit('connection', socket)
  }
}

/** The host that a client wants to connect to. */
interface TunnelTarget {
  /** Without brackets, as certificates name it. */
  readonly host: string
  /** As URLs write it, with the port. */
  readonly authority: string
}

/** Returns null for a text that is not a host and port, and for ports below 1024 other than those of the web. */
function readTarget(authority: string): TunnelTarget | null {
  const match = /^([^/?#@\s]+):(\d{1,5})$/.exec(authority)
  const [, name = '', digits = ''] = match ?? []
  const port = Number(digits)
  const isOfWeb = port === 80 || port === 443 || (port >= 1_024 && port <= 65_535)
  if (match === null || !isOfWeb || !URL.canParse(`https://${name}/`)) return null
  const { hostname } = new URL(`https://${name}/`)
  return { host: hostname.replace(/^\[|\]$/g, ''), authority: `${hostname}:${port}` }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  const { headers, body } = plainReply(status, text)
  response.writeHead(status, headers).end(body)
}

function endWith(socket: Duplex, status: number, reason: string, headers = ''): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}
