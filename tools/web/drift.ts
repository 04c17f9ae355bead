import PQueue from 'p-queue'
import { ConfigError, ToolError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/system/hash.ts'
import { type RecordedExchange, type Recording, readRecording } from './recording.ts'
import type { Transport } from './transport.ts'
import { makePageRequest } from './transport.ts'

/** What happened to a recorded page. */
export type DriftVerdict = 'same' | 'changed' | 'moved' | 'died' | 'unreachable'

/** What happened to one recorded page. */
export interface Drift {
  readonly url: string
  readonly verdict: DriftVerdict
  readonly recordedAt: string
  /** HTTP status; null when no response arrived. */
  readonly status: number | null
  readonly finalUrl: string | null
  /** The share of the recorded text's five-word sequences that still occur, 0..1; null when the page is not text. */
  readonly textShare: number | null
  readonly detail: string
}

const pagesAtOnce = 4

/**
 * Fetches every page of a recording again, once each, and compares it with the recording. A page is the same,
 * changed or moved to another address. It has died when it was answered before and now fails or is gone.
 * Otherwise it is unreachable at this time.
 *
 * @returns the results in the recording's order
 * @throws ConfigError `missing-recording`, or `sealed-recording` when it was made from a sealed web
 */
export async function measureDrift(folder: string, live: Transport): Promise<Drift[]> {
  const recording = await readRecording(folder)
  if (recording.head.entries !== null)
    throw new ConfigError(
      `${folder}: recorded from a sealed web, whose hosts do not exist; choose a recording made with --web live`,
      { code: 'sealed-recording' },
    )
  const pages = new Map<string, RecordedExchange>()
  for (const exchange of recording.exchanges) {
    const worked = exchange.answer !== null && exchange.answer.status < 400
    if (exchange.purpose === 'page' && exchange.method === 'GET' && worked) pages.set(exchange.url, exchange)
  }
  const queue = new PQueue({ concurrency: pagesAtOnce })
  return await queue.addAll([...pages.values()].map(page => () => compare(page, recording, live)))
}

async function compare(page: RecordedExchange, recording: Recording, live: Transport): Promise<Drift> {
  const before = page.answer
  if (before === null) throw new Error('a page without an answer cannot drift')
  const recorded = { url: page.url, recordedAt: page.at }
  try {
    const now = await live.send(makePageRequest(page.url), new AbortController().signal)
    const at = { ...recorded, status: now.status, finalUrl: now.finalUrl }
    if (now.status >= 400) return { ...at, verdict: 'died', textShare: null, detail: `HTTP ${now.status}` }
    const same = sha256(now.body) === before.bodySha256
    const share = same ? null : computeTextShare(await recording.body(before.bodySha256), now.body)
    if (now.finalUrl !== before.finalUrl) {
      return { ...at, verdict: 'moved', textShare: share, detail: `was ${before.finalUrl}` }
    }
    if (same) return { ...at, verdict: 'same', textShare: null, detail: '' }
    return {
      ...at,
      verdict: 'changed',
      textShare: share,
      detail: `${before.bytes} -> ${now.body.byteLength} bytes`,
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const verdict = error.infrastructure ? 'unreachable' : 'died'
    return { ...recorded, verdict, status: null, finalUrl: null, textShare: null, detail: error.message }
  }
}

function computeTextShare(before: Uint8Array, now: Uint8Array): number | null {
  const [old, fresh] = [listWordSequences(before), listWordSequences(now)]
  if (old === null || fresh === null || old.size === 0) return null
  let count = 0
  for (const words of old) if (fresh.has(words)) count++
  return count / old.size
}

function listWordSequences(bytes: Uint8Array): Set<string> | null {
  const text = Buffer.from(bytes).toString('utf8')
  if (text.slice(0, 4_000).includes('\u0000') || text.startsWith('%PDF-')) return null
  const plain = text.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
  const words = plain.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []
  const sequences = new Set<string>()
  for (let at = 0; at <= Math.max(0, words.length - 5) && words.length > 0; at++) {
    sequences.add(words.slice(at, at + 5).join(' '))
  }
  return sequences
}
