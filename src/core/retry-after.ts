import { spanMs } from './failure-words.ts'

/**
 * Milliseconds that an answer asks us to wait, by Retry-After (seconds or an HTTP date) or retry-after-ms, else by when the
 * limits refill of which it says that nothing is left. A date is seen from the answer's own Date header, else from `now`
 * (milliseconds; null: unknown). Null where it names no wait.
 */
export function retryAfter(header: (name: string) => string | null, now: number | null): number | null {
  const milliseconds = Number(header('retry-after-ms')?.trim() || Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  const text = header('retry-after')?.trim() ?? ''
  if (text === '') return refillOf(header)
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.ceil(seconds * 1000)
  const answered = Date.parse(header('date') ?? '')
  const waitMs = Date.parse(text) - (Number.isNaN(answered) ? (now ?? Number.NaN) : answered)
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}

/** OpenAI's and Groq's limits, a span each (`6m0s`), and Cerebras' in seconds. */
const limits = ['requests', 'tokens', 'requests-minute', 'tokens-minute']

function refillOf(header: (name: string) => string | null): number | null {
  const waits = limits
    .filter(limit => header(`x-ratelimit-remaining-${limit}`)?.trim() === '0')
    .map(limit => {
      const said = header(`x-ratelimit-reset-${limit}`)?.trim() ?? ''
      return /^\d+(\.\d+)?$/.test(said) ? Math.ceil(Number(said) * 1_000) : (spanMs(said) ?? 0)
    })
  const longest = Math.max(0, ...waits)
  return longest === 0 ? null : longest
}
