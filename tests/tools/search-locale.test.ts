import { expect, it } from 'vitest'
import { isQuestionLocale, searchLocale, searchLocales } from '../../tools/search/locale.ts'
import { makeCanonicalRequest } from '../../tools/web/canonical-request.ts'
import type { WebRequest } from '../../tools/web/transport.ts'

const request = (url: string, body: object | null): WebRequest => ({
  ...{ method: 'POST', url, headers: {}, purpose: 'service' },
  ...{ maxBytes: 1, timeoutMs: 1, maxRedirects: 0 },
  body: body === null ? null : JSON.stringify(body),
})

it('searches Chinese questions in China, and leaves the locale of others to the service', () => {
  expect(searchLocale('zh')).toEqual({ language: 'zh-cn', region: 'cn' })
  expect(searchLocale('en')).toEqual({ language: null, region: null })
  expect(searchLocale(undefined)).toEqual({ language: null, region: null })
  expect(searchLocales(['zh', 'en', 'zh'])).toEqual({ zh: { language: 'zh-cn', region: 'cn' } })
})

it('keeps recordings without a locale readable', () => {
  const before = makeCanonicalRequest(request('https://s.example/search', { q: '年报' }))
  const now = makeCanonicalRequest(request('https://s.example/search', { q: '年报', hl: 'zh-cn', gl: 'cn' }))
  expect(now.key).toBe(before.key)
  expect(now.body).toContain('zh-cn')
  const brave = 'https://s.example/web/search?q=x'
  const withLocale = makeCanonicalRequest(request(`${brave}&search_lang=zh-hans&country=CN`, null))
  expect(withLocale.key).toBe(makeCanonicalRequest(request(brave, null)).key)
})

it('separates searches in another language', () => {
  const german = makeCanonicalRequest(request('https://s.example/search', { q: 'x', hl: 'de', gl: 'de' }))
  expect(german.key).not.toBe(makeCanonicalRequest(request('https://s.example/search', { q: 'x' })).key)
  expect(isQuestionLocale('q', 'cn')).toBe(false)
})
