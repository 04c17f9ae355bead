import { expect, it } from 'vitest'
import { readWebMap } from '../../src/evidence/web-map.ts'

it('never treats a body with the bytes of a document as a look-alike, even if a look-alike has the same bytes', () => {
  const place = { landingUrl: null, name: 'report', hint: null }
  const map = readWebMap([
    { ...place, url: 'https://a.example/report', sha256: 'aa', hint: 'report', twinOf: null },
    { ...place, url: 'https://b.example/report', sha256: 'aa', twinOf: 'report' },
    { ...place, url: 'https://c.example/report', sha256: 'bb', twinOf: 'report' },
  ])
  expect(['aa', 'bb', 'cc'].map(map.isTwin)).toEqual([false, true, false])
})
