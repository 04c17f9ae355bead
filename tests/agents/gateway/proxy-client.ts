import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { ProxyOptions } from '../../../agents/gateway/proxy/exchange.ts'
import { type AgentProxy, openProxy } from '../../../agents/gateway/proxy/proxy.ts'
import type { GatewaySession } from '../../../agents/gateway/session.ts'
import type { SettingEnvironment } from '../../../agents/setting.ts'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import { systemClock } from '../../../src/core/runtime.ts'
import type { Transport } from '../../../tools/web/transport.ts'
import { says, scripted, table, type World } from '../harness.ts'
import { checkHost } from './check-host.ts'
import { openTestSession } from './model-client.ts'

/** A reader that knows no format. */
const noReader: DocumentReader = {
  read: async () => ({ format: 'unknown', pages: [], problem: 'not read' }) as never,
  close: async () => undefined,
}

export interface TestProxy extends World {
  readonly proxy: AgentProxy
  readonly session: GatewaySession
}

type TestOptions = Partial<SettingEnvironment> & Partial<ProxyOptions> & { readonly tools?: never }

/** Opens the proxy of one attempt on a web. */
export async function openTestProxy(
  transport: Transport,
  { modelHosts = [], mostRequests, ...more }: TestOptions = {},
): Promise<TestProxy> {
  const model = scripted({ turns: [says(table)] })
  const opened = openTestSession(model, {
    sharedToolEnvironment: {
      ...{ transport, clock: systemClock, reader: noReader, keepText: () => 'hash' },
      search: { name: 'none', search: () => Promise.reject(new Error('no search')) },
    },
    ...more,
  })
  const options = { modelHosts, ...(mostRequests === undefined ? {} : { mostRequests }) }
  return { ...opened, proxy: await openProxy(opened.session, options) }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Replaces the password of the attempt. */
  readonly password?: string
}

function authorizationOf({ username, password }: URL, given = password): Record<string, string> {
  return {
    'proxy-authorization': `Basic ${Buffer.from(`${username}:${given}`).toString('base64')}`,
  }
}

/** Sends a CONNECT request. */
export async function connectThrough(
  { variables }: AgentProxy,
  target: string,
  { password }: AskOptions = {},
): Promise<{ readonly status: number; readonly socket: Socket }> {
  const address = new URL(variables.HTTPS_PROXY!)
  return await new Promise((resolve, reject) => {
    httpRequest({
      ...{ host: address.hostname, port: address.port, method: 'CONNECT', path: target },
      headers: authorizationOf(address, password),
    })
      .once('connect', (response, socket) => resolve({ status: response.statusCode ?? 0, socket }))
      .once('error', reject)
      .end()
  })
}

/** Requests an address through a proxy, as a client with HTTP_PROXY, HTTPS_PROXY and SSL_CERT_FILE does. */
export async function askThrough(
  proxy: AgentProxy,
  url: string,
  { method = 'GET', headers: own = {}, body, password }: AskOptions = {},
): Promise<Answer> {
  const headers = { ...own, ...(body === undefined ? {} : { 'content-length': String(body.length) }) }
  const address = new URL(proxy.variables.HTTP_PROXY!)
  if (!url.startsWith('https:')) {
    const all = { ...headers, ...authorizationOf(address, password) }
    return await answerOf(
      httpRequest({ host: address.hostname, port: address.port, method, path: url, headers: all }),
      body,
    )
  }
  const { hostname, port, pathname, search } = new URL(url)
  const { status, socket } = await connectThrough(proxy, `${hostname}:${port || 443}`, {
    ...(password === undefined ? {} : { password }),
  })
  if (status !== 200) return { status, headers: {}, text: '' }
  const secured = tlsConnect({
    socket,
    ...(/^[[\d]/.test(hostname) ? { host: hostname.replace(/[[\]]/g, '') } : { servername: hostname }),
    ca: readFileSync(proxy.variables.SSL_CERT_FILE!),
    checkServerIdentity: checkHost,
  })
  const path = `${pathname}${search}`
  return await answerOf(
    httpsRequest({ createConnection: () => secured, hostname, method, path, headers }),
    body,
  )
}

async function answerOf(request: ReturnType<typeof httpRequest>, body?: string): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    request.end(body)
  })
}

/** Runs a program with the variables of a proxy; null when the program is not on this machine or lacks a module. */
export async function runThrough(
  { variables }: AgentProxy,
  program: string,
  args: readonly string[],
): Promise<string | null> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables }
  return await new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: 30_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else if (error.code === 'ENOENT' || stderr.includes('ModuleNotFoundError')) resolve(null)
      else reject(new Error(`${program}: ${stderr || error.message}`))
    })
  })
}
