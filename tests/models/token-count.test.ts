import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokensCheaply, cutToTokens, loadTokenCounter } from '../../src/models/token-count.ts'
import { cpuMsOf } from '../cpu-time.ts'

describe('the tokenizer', () => {
  it('counts as o200k does', async () => {
    const count = await loadTokenCounter()
    expect(count('hello world')).toBe(2)
    expect(count('')).toBe(0)
  })

  it('counts control tokens as plain text', async () => {
    expect((await loadTokenCounter())('<|endoftext|>')).toBeGreaterThan(2)
  })

  it('counts a text in pieces as the encoder counts the whole text', async () => {
    const [count, { countTokens }] = await Promise.all([
      loadTokenCounter(),
      import('gpt-tokenizer/encoding/o200k_base'),
    ])
    const part = fc.constantFrom(
      '\n\n',
      '\n',
      ' ',
      'Net sales',
      '1,234',
      '/',
      '|',
      '\r',
      '营业',
      '\u0301',
      "'s",
      '.',
    )
    const page = fc.constant('Quarterly report of the company. '.repeat(40))
    const text = fc.array(fc.oneof({ arbitrary: part, weight: 9 }, page), { maxLength: 40 })
    fc.assert(
      fc.property(text, parts => {
        expect(count(parts.join(''))).toBe(countTokens(parts.join('')))
      }),
      { examples: [[['.', '\n\n', '/']], [['.', '\n\n', '\n', '|']], [[' ', '\n\n', ' ', 'Net sales']]] },
    )
  })

  const long: [string, string][] = [
    ['one repeated letter', 'a'.repeat(200_000)],
    ['blanks', ' '.repeat(200_000)],
    ['Chinese without a space', '公司营业收入为人民币一千二百万元同比增长'.repeat(10_000)],
    ['dots', '.'.repeat(200_000)],
    ['emoji', '😀'.repeat(100_000)],
  ]
  for (const [what, text] of long) {
    it(`counts 200,000 characters of ${what} in two seconds of processor time`, async () => {
      const count = await loadTokenCounter()
      const ms = await cpuMsOf(() => expect(count(text)).toBeGreaterThan(1_000))
      expect(ms).toBeLessThan(2_000)
    })
  }
})

describe('the cheap count', () => {
  it('counts four Latin characters or one Chinese character as a token', () => {
    expect(countTokensCheaply('abcdefgh')).toBe(2)
    expect(countTokensCheaply('营业收入')).toBe(4)
  })

  it('cuts a text to the requested number of tokens', () => {
    for (const text of ['abcdefghij', '营业ab收入cd', '']) {
      for (const tokens of [0, 1, 2, 3, 100]) {
        const cut = cutToTokens(text, tokens)
        expect(countTokensCheaply(cut)).toBeLessThanOrEqual(tokens)
        expect(text.startsWith(cut)).toBe(true)
      }
    }
    expect(cutToTokens('abcdefghij', 2)).toBe('abcdefgh')
  })
})
