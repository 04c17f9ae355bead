import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeJson, writePageJson } from '../../src/report/figures/escape-html.ts'
import { hostileTexts } from './hostile-report.ts'

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }))

it('writes texts with no broken characters, no marks of direction, and at most 50,000 characters', () => {
  fc.assert(
    fc.property(text, one => {
      const shown = JSON.parse(escapeJson([one]))[0] as string
      expect(shown).not.toMatch(/\p{Surrogate}|[\u202a-\u202e\u2066-\u2069]/u)
      expect(escapeJson([one])).not.toMatch(/[<>&\u2028\u2029]/)
    }),
  )
  expect(JSON.parse(writePageJson('x'.repeat(1_000_000)))).toMatch(/^x{50000}… 950000 more characters$/)
  expect(JSON.parse(writePageJson('a\u202eb\ud800c值'))).toBe('a[U+202E]b\ufffdc值')
})
