import { ToolError } from '../../src/core/errors.ts'
import { BlockedSourceError } from './block-list.ts'
import { createCounter, makeCanonicalRequest } from './canonical-request.ts'
import { recording } from './record.ts'
import {
  openRecordingWriter,
  type RecordedExchange,
  type RecordedSearch,
  type Recording,
  type RecordingHead,
  readRecording,
} from './recording.ts'
import { type Transport, transportFor, type WebRequest, type WebResponse } from './transport.ts'

/** What a replay uses. */
export interface ReplayOptions {
  readonly folder: string
  /**
   * Carries requests that were never recorded, and these are recorded too. When absent, such a request is a replay
   * miss.
   */
  readonly live?: Transport
}

/** A transport that answers from a recording. */
export interface ReplayTransport extends Transport {
  /** The documents of the recorded sealed web; null for a live web. */
  readonly entries: RecordingHead['entries']
  readonly search: RecordedSearch
}

/**
 * Answers requests from a recording. Without `live` it uses no network. When an attempt sends a request for the
 * n-th time, it receives the attempt's n-th recorded answer, or its last one. An attempt that never sent the
 * request receives the answers of another attempt. A request that was never recorded rejects with ToolError
 * `replay-miss` when `live` is absent.
 *
 * @throws ConfigError `missing-recording` when the folder contains none
 */
export async function createReplayTransport(options: ReplayOptions): Promise<ReplayTransport> {
  const { folder, live = null } = options
  const recorded = await readRecording(folder)
  const lookUp = indexExchanges(recorded.exchanges)
  const writer = live === null ? null : await openRecordingWriter(folder, recorded.head)
  const forAttempt = (attemptId: string | null): Transport => {
    const repeats = createCounter()
    const unknown =
      writer === null || live === null
        ? null
        : recording(attemptId === null ? live : transportFor(live, attemptId), writer, attemptId)
    return {
      name: `replay(${recorded.head.source})`,
      forAttempt,
      async send(request, signal) {
        signal.throwIfAborted()
        const { key, url } = makeCanonicalRequest(request)
        const exchange = lookUp(key, attemptId, repeats(key))
        if (exchange !== null) return await replayResponse(exchange, recorded, request)
        if (unknown !== null) return await unknown.send(request, signal)
        throw new ToolError('replay-miss', `${request.method} ${url} is not in the recording`)
      },
    }
  }
  const { entries, search } = recorded.head
  return { ...forAttempt(null), entries, search }
}

type Lookup = (key: string, attemptId: string | null, repeat: number) => RecordedExchange | null

function indexExchanges(exchanges: readonly RecordedExchange[]): Lookup {
  const ofAttempt = new Map<string, RecordedExchange[]>()
  const ofAnyone = new Map<string, RecordedExchange>()
  for (const exchange of [...exchanges].sort(bySendTime)) {
    const place = `${exchange.attemptId ?? ''}\n${exchange.key}`
    const answers = ofAttempt.get(place) ?? []
    // A repeated attempt counts from the start again, and its answers replace the earlier ones.
    answers.length = Math.min(answers.length, exchange.repeat)
    answers[exchange.repeat] = exchange
    ofAttempt.set(place, answers)
    const first = ofAnyone.get(exchange.key)
    if (first === undefined || (first.answer === null && exchange.answer !== null)) {
      ofAnyone.set(exchange.key, exchange)
    }
  }
  return (key, attemptId, repeat) => {
    const answersOfAttempt = ofAttempt.get(`${attemptId ?? ''}\n${key}`)
    return answersOfAttempt?.[repeat] ?? answersOfAttempt?.at(-1) ?? ofAnyone.get(key) ?? null
  }
}

/**
 * Orders concurrent requests of an attempt by the time they were sent. The recording has them in the order of their
 * answers.
 */
function bySendTime(a: RecordedExchange, b: RecordedExchange): number {
  return Date.parse(a.at) - Date.parse(b.at) || a.repeat - b.repeat
}

async function replayResponse(
  exchange: RecordedExchange,
  recorded: Recording,
  request: WebRequest,
): Promise<WebResponse> {
  const { answer, failure } = exchange
  if (failure !== null) {
    if (failure.rule !== null) throw new BlockedSourceError(request.url, failure.rule)
    const { infrastructure } = failure
    throw new ToolError(failure.errorClass, failure.message, { infrastructure })
  }
  if (answer === null) throw new Error('a recorded exchange without answer and failure')
  if (answer.bytes > request.maxBytes) {
    throw new ToolError('too-large', `${answer.finalUrl} is larger than ${request.maxBytes} bytes`)
  }
  const { status, headers, finalUrl, bodySha256 } = answer
  return { status, headers, finalUrl, body: await recorded.body(bodySha256) }
}
