import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { openAttemptRun } from '../../../agents/attempt-run.ts'
import { createCallEvents } from '../../../agents/call-events.ts'
import { gatewayRoutes } from '../../../agents/gateway/routes.ts'
import { type GatewaySession, type LastCallNotes, openSession } from '../../../agents/gateway/session.ts'
import { loopNotes } from '../../../agents/prompts/notes.ts'
import { openToolbox } from '../../../agents/toolbox.ts'
import type {
  ModelDialect,
  ModelHandle,
  ModelServer,
  ModelServerAnswer,
  ModelServerRequest,
} from '../../../src/core/model.ts'
import { EventStream } from '../../../src/models/dialects/event-stream.ts'
import { type World, world } from '../harness.ts'

/** The gateway's session of an attempt, without a server. */
export function openTestSession(
  model: ModelHandle,
  more: Parameters<typeof world>[1] = {},
  lastCall: LastCallNotes | null = null,
): World & { readonly session: GatewaySession } {
  const here = world(model, more)
  const events = createCallEvents()
  const run = openAttemptRun(here.environment, event => events.file(() => run.emitBudget(event)))
  return { ...here, session: openSession(run, openToolbox(run, events, loopNotes.en), events, lastCall) }
}

/** The response of a test's request. It is collected as the gateway writes it. */
class TestResponse extends Writable {
  status = 0
  headersSent = false
  text = ''
  /** Hears of each written part. */
  onText: (text: string) => void = () => undefined

  writeHead(status: number): this {
    this.status = status
    this.headersSent = true
    return this
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8')
    this.onText(this.text)
    done()
  }
}

export interface Reply {
  readonly status: number
  readonly text: string
  /** The JSON body of a plain answer. */
  readonly json: Record<string, never>
  /** The data of the events of a streamed answer, `[DONE]` left out. */
  readonly events: readonly Record<string, never>[]
  /** Whether the connection was cut before the end of the answer. */
  readonly isCut: boolean
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  /** Closes the connection as soon as this is true of what has been read. Absent: never. */
  readonly hangUpWhen?: (text: string) => boolean
}

/** Sends one request of an agent to the routes of the gateway. */
export async function ask(
  session: GatewaySession,
  path: string,
  body: unknown,
  { method = 'POST', headers = {}, hangUpWhen = () => false }: AskOptions = {},
): Promise<Reply> {
  const response = new TestResponse()
  response.on('error', () => undefined)
  response.onText = text => {
    if (hangUpWhen(text)) response.destroy()
  }
  const closed = new Promise<void>(resolve => response.once('close', resolve))
  const route = gatewayRoutes.find(one => one.matches(method, path))
  if (route === undefined) throw new Error(`no route ${method} ${path}`)
  if (hangUpWhen('')) setImmediate(() => response.destroy())
  await route.answer(
    {
      method,
      path,
      query: new URLSearchParams(),
      incoming: { headers } as unknown as IncomingMessage,
      response: response as unknown as ServerResponse,
      body: async () => (typeof body === 'string' ? body : JSON.stringify(body)),
    },
    session,
  )
  await closed
  return replyOf(response)
}

function replyOf({ status, text, writableFinished }: TestResponse): Reply {
  const stream = new EventStream()
  const streamed = [...stream.push(Buffer.from(text)), ...stream.end()]
  return {
    status,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : {},
    events: streamed.flatMap(({ data }) => (data === null || data === '[DONE]' ? [] : [JSON.parse(data)])),
    isCut: !writableFinished,
  }
}

type Answer = Partial<ModelServerAnswer> | Error

/** A model's server that answers as a test decides. `seen` contains the requests. */
export function serverOf(
  dialects: readonly ModelDialect[],
  play: (request: ModelServerRequest, index: number) => Answer | Promise<Answer>,
): ModelServer & { readonly seen: ModelServerRequest[] } {
  const seen: ModelServerRequest[] = []
  return {
    dialects,
    model: 'secret-model',
    seed: 7,
    sampling: { temperature: 0, topP: null, reasoningEffort: null },
    seen,
    async send(request) {
      seen.push(request)
      const answer = await play(request, seen.length - 1)
      if (answer instanceof Error) throw answer
      return { contentType: 'application/json', body: bytes(), ...answer }
    },
  }
}

/** A plain answer. */
export function plain(body: unknown): Partial<ModelServerAnswer> {
  return { body: bytes(JSON.stringify(body)) }
}

/** A streamed answer in the given pieces. An error among them breaks it off. */
export function streamed(...pieces: readonly (string | Uint8Array | Error)[]): Partial<ModelServerAnswer> {
  return { contentType: 'text/event-stream', body: bytes(...pieces) }
}

export async function* bytes(...pieces: readonly (string | Uint8Array | Error)[]): AsyncIterable<Uint8Array> {
  for (const piece of pieces) {
    await new Promise(resolve => setImmediate(resolve))
    if (piece instanceof Error) throw piece
    yield typeof piece === 'string' ? Buffer.from(piece) : piece
  }
}

/** The events as the text of a `text/event-stream` body. */
export function eventTexts(...events: readonly Record<string, unknown>[]): string[] {
  return events.map(event => `data: ${JSON.stringify(event)}\n\n`)
}
