import { describe, expect, it } from 'vitest'
import { readNumber } from '../../src/text/amounts.ts'
import { readChineseNumeral } from '../../src/text/numbers.ts'
import { readUnitLine } from '../../src/text/scales.ts'

describe('readNumber', () => {
  const cases: [string, number, boolean?][] = [
    ['1,234.5', 1234.5],
    ['(1,234.5)', -1234.5],
    ['$(1,234)', -1234],
    ['($ 12)', -12],
    ['-12', -12],
    ['−12', -12],
    ['12.3%', 12.3, true],
    ['(4.5%)', -4.5, true],
    ['(4.5)%', -4.5, true],
    ['１２．３％', 12.3, true],
    ['1.2 billion', 1_200_000_000],
    ['$2.7 million', 2_700_000],
    ['US$ 300', 300],
    ['3.4亿元', 340_000_000],
    ['0.7万', 7_000],
    ['人民币1,000元', 1_000],
    ['12,000,000股', 12_000_000],
    ['0.35元/股', 0.35],
    ['.5', 0.5],
    ['五千元', 5_000],
    ['三万五千元', 35_000],
    ['2,797 million', 2_797_000_000],
  ]
  for (const [text, value, percent = false] of cases) {
    it(`reads ${text} as ${value}`, () => {
      expect(readNumber(text)).toMatchObject({ value, percent })
    })
  }
  for (const text of [
    '',
    '-',
    '—',
    'n/a',
    '1,23',
    '12 apples',
    '1.2.3',
    '2024-05-01',
    '5)',
    'three',
    '万元',
    '亿元',
    '万股',
    '千元',
    '百万元',
  ]) {
    it(`does not read '${text}'`, () => {
      expect(readNumber(text)).toBeNull()
    })
  }
})

describe('readChineseNumeral', () => {
  const cases: [string, number | null][] = [
    ['十', 10],
    ['十二', 12],
    ['二十', 20],
    ['一百零五', 105],
    ['三万五千', 35_000],
    ['一亿二千万', 120_000_000],
    ['二〇二四', 2024],
    ['壹拾贰', 12],
    ['两千', 2000],
    ['3万5千', 35_000],
    ['十万', 100_000],
    ['千五百零六', 1506],
    ['贰零贰肆', null],
    ['3五', null],
    ['两三千', null],
    ['甲', null],
    ['', null],
    ['万', null],
    ['千', null],
    ['百万', null],
  ]
  for (const [text, value] of cases) {
    it(`reads ${text} as ${value}`, () => {
      expect(readChineseNumeral(text)).toBe(value)
    })
  }
})

describe('readUnitLine', () => {
  const cases: [string, number | null][] = [
    ['(in millions, except per share amounts)', 1e6],
    ['(In thousands)', 1e3],
    ['(unaudited; in millions)', 1e6],
    ['(Dollars in billions)', 1e9],
    ['单位：元', 1],
    ['单位：人民币万元', 1e4],
    ['金额单位：千元 币种：人民币', 1e3],
    ['单位：亿元', 1e8],
    ['Total assets', null],
  ]
  for (const [text, factor] of cases) {
    it(`'${text}' states ${factor}`, () => {
      expect(readUnitLine(text)).toBe(factor)
    })
  }
})
