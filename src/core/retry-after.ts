/**
 * Milliseconds that an answer asks us to wait, by Retry-After (seconds or an HTTP date) or retry-after-ms. A date is seen
 * from the answer's own Date header, else from `now` (milliseconds; null: unknown). Null where it names no wait.
 */
export function retryAfter(header: (name: string) => string | null, now: number | null): number | null {
  const milliseconds = Number(header('retry-after-ms')?.trim() || Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  const text = header('retry-after')?.trim() ?? ''
  if (text === '') return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.ceil(seconds * 1000)
  const answered = Date.parse(header('date') ?? '')
  const waitMs = Date.parse(text) - (Number.isNaN(answered) ? (now ?? Number.NaN) : answered)
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}
