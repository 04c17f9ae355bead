import { ToolError } from '../../src/core/errors.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { sha256 } from '../../src/system/hash.ts'
import { BlockedSourceError } from './block-list.ts'
import {
  createCounter,
  isSecretHeader,
  listUnrecordedValues,
  makeCanonicalRequest,
  normaliseUrl,
  removeValues,
  removeValuesFromBytes,
} from './canonical-request.ts'
import type { CorpusEntry } from './corpus.ts'
import {
  openRecordingWriter,
  type RecordedExchange,
  type RecordedSearch,
  type RecordingWriter,
} from './recording.ts'
import { type Transport, transportFor, type WebRequest, type WebResponse } from './transport.ts'

/** What a recording stores besides its requests. */
export interface RecordOptions {
  readonly folder: string
  /** The documents of a sealed web, so that discovery can be measured in replays. */
  readonly entries?: readonly CorpusEntry[] | null
  /** The search service of a live web, so that replays use the same one. */
  readonly search?: RecordedSearch
  /** The date that prompts state, such as `2026-11-23`, so that replays state the same one. */
  readonly date?: string | null
}

/**
 * Records every request and its result, including failures, while another transport carries them. Keys, cookies and
 * authorization are not written, and are removed from responses that repeat them. Aborted requests are not
 * recorded.
 *
 * @throws ConfigError `recording-not-writable` or `other-recording`
 */
export async function createRecordingTransport(inner: Transport, options: RecordOptions): Promise<Transport> {
  const { folder, entries = null, search = null, date = null } = options
  const writer = await openRecordingWriter(folder, {
    source: inner.name,
    entries: entries === null ? null : [...entries],
    search,
    date,
  })
  return recording(inner, writer, null)
}

/** Returns a transport that records what it carries, for one attempt or for requests outside attempts (null). */
export function recording(inner: Transport, writer: RecordingWriter, attemptId: string | null): Transport {
  const repeats = createCounter()
  return {
    name: `record(${inner.name})`,
    forAttempt: id => recording(transportFor(inner, id), writer, id),
    async send(request, signal) {
      const { key, method, url, body, purpose } = makeCanonicalRequest(request)
      const line = { key, attemptId, repeat: repeats(key), method, url, body, purpose }
      const at = new Date(systemClock.now()).toISOString()
      try {
        const response = clean(await inner.send(request, signal), request)
        await writer.write({ ...line, at, answer: recordAnswer(response), failure: null }, response.body)
        return response
      } catch (error) {
        if (error instanceof ToolError && !signal.aborted) {
          await writer.write({ ...line, at, answer: null, failure: recordFailure(error, request) }, null)
        }
        throw error
      }
    },
  }
}

function clean(response: WebResponse, request: WebRequest): WebResponse {
  const secrets = listUnrecordedValues(request)
  const headers = Object.entries(response.headers)
    .filter(([name]) => !isSecretHeader(name))
    .map(([name, value]) => [name, removeValues(value, secrets)])
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: removeValuesFromBytes(response.body, secrets),
    finalUrl: removeValues(normaliseUrl(response.finalUrl, request.purpose), secrets),
  }
}

function recordAnswer(response: WebResponse): NonNullable<RecordedExchange['answer']> {
  const { status, headers, body, finalUrl } = response
  return { status, headers: { ...headers }, bodySha256: sha256(body), bytes: body.byteLength, finalUrl }
}

function recordFailure(error: ToolError, request: WebRequest): RecordedExchange['failure'] {
  const { errorClass, message, infrastructure } = error
  if (errorClass === 'http-status' || errorClass === 'unreadable' || errorClass === 'budget') {
    throw new Error(`a transport cannot fail with '${errorClass}'`, { cause: error })
  }
  return {
    errorClass,
    message: removeValues(message, listUnrecordedValues(request)),
    infrastructure,
    rule: error instanceof BlockedSourceError ? error.rule : null,
  }
}
