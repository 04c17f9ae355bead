import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
interface SentAttribute {
  readonly key: string
  readonly value: Value & { arrayValue?: { values: Value[] } }
}
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: SentAttribute[]
  readonly status: { code?: number; message?: string }
}

/** A span as a collector got it. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly startMs: number
  readonly endMs: number
}

function plain({
  stringValue,
  intValue,
  doubleValue,
  boolValue,
  arrayValue,
}: SentAttribute['value']): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plain)
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue
}

function collected(span: SentSpan): CollectedSpan {
  const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)]))
  const ms = (nano: string): number => Number(BigInt(nano) / 1000n) / 1000
  return { ...span, attributes, startMs: ms(span.startTimeUnixNano), endMs: ms(span.endTimeUnixNano) }
}

/** A collector on this machine that takes OTLP over HTTP as JSON and keeps all it gets. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const resources: Readonly<Record<string, unknown>>[] = []
  const paths: string[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    paths.push(`${request.method} ${request.url}`)
    text += body
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      resources.push(
        Object.fromEntries(resource.attributes.map((one: SentAttribute) => [one.key, plain(one.value)])),
      )
      for (const scope of scopeSpans) spans.push(...scope.spans.map(collected))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    paths,
    /** Everything that was sent. */
    text: () => text,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

/** Takes connections and never answers. */
export async function startSilentServer() {
  const sockets = new Set<{ destroy(): void }>()
  const server = createTcpServer(socket => {
    sockets.add(socket.on('error', () => undefined))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
