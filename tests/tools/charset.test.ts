import { describe, expect, it } from 'vitest'
import { decodeText } from '../../tools/page/charset.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const declaredWestern = 'text/html; charset=iso-8859-1'

describe('decodeText', () => {
  it.each(['text/html', declaredWestern, 'text/html; charset=utf-8'])(
    'keeps the few currency signs and accents of a long Windows-1252 page sent as %s',
    contentType => {
      const page = latin1(`${'A line of plain words. '.repeat(500)}Nestl\xe9 paid \xa31,234 or \x801,400`)
      const { text, encoding } = decodeText(page, contentType)
      expect(encoding).toBe('windows-1252')
      expect(text).toContain('Nestlé paid £1,234 or €1,400')
    },
  )

  it.each([
    ['quotation marks', '\x93I am,\x94 he said. \x93I\x92m glad.\x94', '“I am,” he said. “I’m glad.”'],
    ['dashes', 'free\x97like this\x97or with\x97us', 'free—like this—or with—us'],
  ])('reads %s of Windows-1252 as such and not as Shift JIS', (_, bytes, text) => {
    expect(decodeText(latin1(`<p>${bytes}</p>`), declaredWestern).text).toBe(`<p>${text}</p>`)
  })

  it('reads Japanese in EUC-JP though nothing says so', () => {
    const bytes = Buffer.from('b1c4b6c8bcfdb1d7a4cf31b2afb1dfa4c7a4b9a1a3', 'hex')
    expect(decodeText(bytes, 'text/html')).toEqual({ text: '営業収益は1億円です。', encoding: 'euc-jp' })
  })

  it('keeps UTF-8 of which a few bytes are damaged', () => {
    const bytes = Buffer.concat([Buffer.from('净利润为一百万元，'.repeat(200)), Buffer.of(0xe5, 0x20)])
    expect(decodeText(bytes, 'text/html')).toMatchObject({ encoding: 'utf-8' })
  })
})
