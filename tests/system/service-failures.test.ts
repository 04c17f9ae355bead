import { expect, it } from 'vitest'
import { readRetryAfter } from '../../src/system/service-failures.ts'

const date = 'Fri, 31 Dec 1999 23:59:59 GMT'
const now = Date.parse(date) - 5_000

it.each([
  [{ 'retry-after': '3' }, 3_000],
  [{ 'retry-after': ' 0.0015 ' }, 2],
  [{ 'retry-after': '3', 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '3', 'retry-after-ms': '' }, 3_000],
  [{ 'retry-after': date }, 5_000],
  [{ 'retry-after': date, date: 'Fri, 31 Dec 1999 23:59:49 GMT' }, 10_000],
  [{ 'retry-after': 'Wed, 21 Oct 1998 07:28:00 GMT' }, 0],
  [{ 'retry-after': '-3' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{}, null],
])('returns for %j a wait of %j ms', (headers: Record<string, string>, waitMs) => {
  expect(readRetryAfter(name => headers[name] ?? null, now)).toBe(waitMs)
})

it('ignores a date when neither the answer nor the caller knows the time', () => {
  expect(readRetryAfter(name => (name === 'retry-after' ? date : null), null)).toBeNull()
})
