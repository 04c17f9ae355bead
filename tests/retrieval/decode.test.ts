import { describe, expect, it } from 'vitest'
import { decodeOrGuess, decodeText, guessNotice, isText } from '../../retrieval/text/decode.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const declaredWestern = 'text/html; charset=iso-8859-1'

describe('decodeText', () => {
  it.each(['', 'text/html', declaredWestern, 'text/html; charset=utf-8'])(
    'keeps the few currency signs and accents of a long Windows-1252 page sent as %j',
    contentType => {
      const page = latin1(`${'A line of plain words. '.repeat(500)}Nestl\xe9 paid \xa31,234 or \x801,400`)
      expect(decodeText(page, contentType)).toContain('Nestlé paid £1,234 or €1,400')
    },
  )

  it.each([
    ['quotation marks', '\x93I am,\x94 he said. \x93I\x92m glad.\x94', '“I am,” he said. “I’m glad.”'],
    ['dashes', 'free\x97like this\x97or with\x97us', 'free—like this—or with—us'],
  ])('reads %s of Windows-1252 as such and not as Shift JIS', (_, bytes, text) => {
    expect(decodeText(latin1(`<p>${bytes}</p>`), declaredWestern)).toBe(`<p>${text}</p>`)
  })

  it.each([
    ['EUC-JP', '営業収益は1億円です。', 'b1c4b6c8bcfdb1d7a4cf31b2afb1dfa4c7a4b9a1a3'],
    ['Shift JIS', '営業収益は1億円です。', '89638bc68efb897682cd3189ad897e82c582b78142'],
    ['EUC-KR', '대한민국의 주권은', 'b4ebc7d1b9ceb1b9c0c720c1d6b1c7c0ba'],
  ])('reads %s though nothing says so', (_, text, hex) => {
    expect(decodeText(Buffer.from(hex, 'hex'))).toBe(text)
  })

  it.each([
    `<meta charset=windows-1251>`,
    `<meta charset = 'windows-1251' />`,
    `<meta http-equiv = Content-Type content='text/html; charset=windows-1251'>`,
    `<META/CONTENT="text/html;charset=windows-1251"/HTTP-EQUIV="content-type">`,
    `<meta name="a>b" content="x"><meta data-charset="koi8-r" charset="windows-1251">`,
  ])('reads the encoding from %s', declaration => {
    expect(decodeText(latin1(`${declaration}<p>\xcf\xee\xf0\xf2</p>`), 'text/html')).toContain('Порт')
  })

  it('follows a declared encoding when the bytes are ambiguous', () => {
    const name = Buffer.from('c4a3c4a3', 'hex')
    expect(decodeText(name)).toBe('ģģ')
    expect(decodeText(name, 'text/html; charset=gbk')).toBe('模模')
  })

  it('reads UTF-8 that declares GB 2312, as saved pages do', () => {
    const page = '<meta charset="gb2312"><p>公司的资产总额为一百万元</p>'
    expect(decodeText(Buffer.from(page), 'text/html; charset=gb2312')).toBe(page)
  })

  it('reads UTF-8 with a few damaged bytes', () => {
    const bytes = Buffer.concat([Buffer.from('净利润为一百万元，'.repeat(2)), Buffer.of(0xe5, 0x20)])
    expect(decodeText(bytes, 'text/html')).toBe('净利润为一百万元，净利润为一百万元，\ufffd ')
    expect(guessNotice(decodeOrGuess(bytes))).toBe('1 character is damaged and read as \ufffd')
    const twice = decodeOrGuess(Buffer.concat([bytes, Buffer.from('净利润'), bytes]))
    expect(guessNotice(twice)).toBe('2 characters are damaged and read as \ufffd')
    expect(guessNotice(decodeOrGuess(Buffer.from('净利润')))).toBeNull()
  })
})

it('distinguishes UTF-16 without a mark from binary data and from a single zero byte', () => {
  const wide = Buffer.from('Revenue 1,000\n营业', 'utf16le')
  expect([isText(wide), decodeText(wide)]).toEqual([true, 'Revenue 1,000\n营业'])
  expect(decodeText(Buffer.from(wide).swap16())).toBe('Revenue 1,000\n营业')
  expect(isText(Buffer.of(1, 0, 0, 200, 7, 0, 3, 9))).toBe(false)
  expect(decodeText(Buffer.from('1,2\u000034'))).toBe('1,2\u000034')
})

it('distinguishes bytes with many control characters from texts with a few', () => {
  const random = Buffer.from(Array.from({ length: 300 }, (_, at) => 1 + ((at * 97) % 255)))
  expect(isText(random)).toBe(false)
  expect(isText(random.subarray(0, 60))).toBe(false)
  expect(isText(Buffer.from('Beds: 12\r\n\tN\bNAME\fpage 2 \x1b[1mbold\x1b[0m\x1a'))).toBe(true)
  expect(isText(latin1('Caf\xe9\x02 12 beds, an old field mark within a line'))).toBe(true)
})
