import { ToolError } from '../../src/core/errors.ts'
import { BlockedSourceError } from './block-list.ts'
import { canonicalRequest } from './canonical-request.ts'
import { recording } from './record.ts'
import {
  openRecordingWriter,
  type RecordedExchange,
  type RecordedSearch,
  type Recording,
  type RecordingHead,
  readRecording,
} from './recording.ts'
import { createCounter } from './request-counter.ts'
import { type Transport, transportFor, type WebRequest, type WebResponse } from './transport.ts'

export interface ReplayOptions {
  readonly folder: string
  /** Carries what was never recorded, which is then recorded too; absent: that is a replay miss. */
  readonly live?: Transport
}

export interface ReplayTransport extends Transport {
  /** Of the sealed web that was recorded; null for a live one. */
  readonly entries: RecordingHead['entries']
  readonly search: RecordedSearch
}

/**
 * Answers from a recording, without `live` without any network. The n-th time an attempt makes a request it gets what
 * the same attempt got the n-th time; beyond that the last of its answers, and an attempt that never made it what another got.
 * Rejects with ToolError 'replay-miss' for a request that was never recorded, where there is no `live`.
 * @throws ConfigError where the folder holds no recording
 */
export async function createReplayTransport(options: ReplayOptions): Promise<ReplayTransport> {
  const { folder, live = null } = options
  const recorded = await readRecording(folder)
  const known = indexed(recorded.exchanges)
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
        const { key, url } = canonicalRequest(request)
        const exchange = known(key, attemptId, repeats(key))
        if (exchange !== null) return await replayed(exchange, recorded, request)
        if (unknown !== null) return await unknown.send(request, signal)
        throw new ToolError('replay-miss', `${request.method} ${url} is not in the recording`)
      },
    }
  }
  const { entries, search } = recorded.head
  return { ...forAttempt(null), entries, search }
}

type Lookup = (key: string, attemptId: string | null, repeat: number) => RecordedExchange | null

function indexed(exchanges: readonly RecordedExchange[]): Lookup {
  const ofAttempt = new Map<string, RecordedExchange[]>()
  const ofAnyone = new Map<string, RecordedExchange>()
  for (const exchange of [...exchanges].sort(byTimeAsked)) {
    const place = `${exchange.attemptId ?? ''}\n${exchange.key}`
    const answers = ofAttempt.get(place) ?? []
    // An attempt that was made again begins again: what it got then replaces what it got before.
    answers.length = Math.min(answers.length, exchange.repeat)
    answers[exchange.repeat] = exchange
    ofAttempt.set(place, answers)
    const first = ofAnyone.get(exchange.key)
    if (first === undefined || (first.answer === null && exchange.answer !== null)) {
      ofAnyone.set(exchange.key, exchange)
    }
  }
  return (key, attemptId, repeat) => {
    const own = ofAttempt.get(`${attemptId ?? ''}\n${key}`)
    return own?.[repeat] ?? own?.at(-1) ?? ofAnyone.get(key) ?? null
  }
}

/** Requests that an attempt makes at once stand in the recording as they were answered. */
function byTimeAsked(a: RecordedExchange, b: RecordedExchange): number {
  return Date.parse(a.at) - Date.parse(b.at) || a.repeat - b.repeat
}

async function replayed(
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
