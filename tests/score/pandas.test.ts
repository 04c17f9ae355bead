import { describe, expect, it } from 'vitest'
import { readColumnText, readPandasColumn } from '../../src/score/pandas/column.ts'
import { readPandasCsv } from '../../src/score/pandas/csv.ts'
import { readColumnNumber } from '../../src/score/pandas/numeric.ts'
import { pythonFloat } from '../../src/score/python/number.ts'
import { pythonKeyText, pythonStrip } from '../../src/score/python/text.ts'
import { writePythonFloat } from '../../src/text/python-json.ts'

const textsOf = (...values: string[]) => {
  const column = readPandasColumn(values)
  return values.map((_, i) => readColumnText(column, i))
}
const numbersOf = (...values: string[]) => {
  const column = readPandasColumn(values)
  return values.map((_, i) => readColumnNumber(column, i))
}
const read = (text: string) => {
  const reading = readPandasCsv(text)
  return 'table' in reading ? [reading.table.header, ...reading.table.rows] : reading.error
}

describe('reading a CSV like pandas', () => {
  it('skips blank lines and pads short rows', () => {
    expect(read('a,b\n\n1\n  \n2,3\n')).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['2', '3'],
    ])
  })

  it('ends a text at its first NUL, like a reader written in C', () => {
    expect(read('a,b\u0000c\nx\u0000y,"\u0000z"\n')).toEqual([
      ['a', 'b'],
      ['x', ''],
    ])
  })

  it('keeps line ends and doubled quotes inside quotes, and text after a closing quote', () => {
    expect(read('a,b\r\n"x\r\ny","say ""hi"""\r\n"a"b,2')).toEqual([
      ['a', 'b'],
      ['x\r\ny', 'say "hi"'],
      ['ab', '2'],
    ])
  })

  it('reads leading columns as an index when the first row is longer than the header', () => {
    expect(read('a,b\n0,1,2\n9,3,4\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('refuses a later row that is longer, and a quote that never closes', () => {
    expect(read('a,b\n1,2\n1,2,3\n')).toMatch(/expected 2 fields in line 3, saw 3/)
    expect(read('a,b\n"1,2\n')).toMatch(/never closes/)
    expect(read('\n \n')).toMatch(/no columns/)
  })

  it('numbers repeated headers and names empty ones, given names first', () => {
    expect(read('a,a,,a.1\n')).toEqual([['a', 'a.2', 'Unnamed: 2', 'a.1']])
    expect(read(',Unnamed: 0,Note\n')).toEqual([['Unnamed: 0.1', 'Unnamed: 0', 'Note']])
    expect(read('a,a,a.1,a\n')).toEqual([['a', 'a.2', 'a.1', 'a.3']])
  })

  // The expected values are those of pandas 2.1.3.
  it.each([
    [
      'a,b\r1,2\r3,4\r',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['"a","b"\r"1","x\ry"\r', [['1', 'x\ry']]],
    [
      'a,b\r\r\r1,2\r \r3,4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a,b\n1,2\r3,4\n\r5,6\r\r7,8',
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
        ['7', '8'],
      ],
    ],
    [
      'a,b\r1,2\r,4\r',
      [
        ['1', '2'],
        ['', '4'],
      ],
    ],
    [
      'a,b\r1,2\r\r,5,6\r',
      [
        ['1', '2'],
        ['5', '6'],
      ],
    ],
    [
      'a,b\r1,2\r\r,\r3,4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('reads %j, whose lines end in a carriage return alone', (text, rows) => {
    expect(read(text)).toEqual([['a', 'b'], ...rows])
  })
})

describe('the kind of a column', () => {
  it('is integer only when no value is missing', () => {
    expect(textsOf('01', '-0', '+7')).toEqual(['1', '0', '7'])
    expect(textsOf('5', '')).toEqual(['5.0', null])
    expect(textsOf('-0', '206829776373448302', '')).toEqual(['0.0', '2.068297763734483e+17', null])
    expect(textsOf('', 'NA')).toEqual([null, null])
  })

  it('is float for decimals and infinities, written like Python', () => {
    expect(textsOf('1.50', '1e16', '0.00001', 'inf', '.5', '5.')).toEqual([
      '1.5',
      '1e+16',
      '1e-05',
      'inf',
      '0.5',
      '5.0',
    ])
  })

  it('is boolean for true and false in any case', () => {
    expect(textsOf('true', 'FALSE', '')).toEqual(['True', 'False', null])
    expect(numbersOf('true', 'FALSE')).toEqual([1, 0])
  })

  it('is text otherwise, also when an integer has more than 64 bits', () => {
    expect(textsOf('1', '99999999999999999999')).toEqual(['1', '99999999999999999999'])
    expect(textsOf('007', 'x', 'null', 'Null')).toEqual(['007', 'x', null, 'Null'])
    expect(textsOf('18446744073709551615', 'NA')).toEqual(['18446744073709551615', 'NA'])
    expect(textsOf('18446744073709551615', '-0.50')).toEqual(['18446744073709551615', '-0.50'])
  })

  it('reads numbers in text columns without commas, and percentages divided by 100', () => {
    expect(numbersOf('1,234.5', '12%', '(5)', '-', '１２', '1_0', 'x', '1e3%')).toEqual([
      1234.5,
      0.12,
      Number.NaN,
      Number.NaN,
      12,
      10,
      Number.NaN,
      10,
    ])
  })
})

describe('the emulation of Python', () => {
  it('reads the numbers that float() reads', () => {
    expect([' 1e9 ', '1_000', '+.5', '٣', '\u3000７\u3000', '-Infinity'].map(pythonFloat)).toEqual([
      1e9,
      1000,
      0.5,
      3,
      7,
      Number.NEGATIVE_INFINITY,
    ])
    expect(['1__0', '_1', '1_', '0x10', '', '1,0', '.', '1e', '\ufeff1', '\x1f1'].map(pythonFloat)).toEqual(
      new Array(10).fill(null),
    )
  })

  it('writes floats like repr()', () => {
    expect([0.1, 1e22, 1.5e-7, 123456789012345680, -0, 100].map(writePythonFloat)).toEqual([
      '0.1',
      '1e+22',
      '1.5e-07',
      '1.2345678901234568e+17',
      '-0.0',
      '100.0',
    ])
  })

  it('writes tuples with the quotes and escapes of repr()', () => {
    expect(pythonKeyText(["it's", 'a"b\n', '\u3000', '中'])).toBe(`("it's", 'a"b\\n', '\\u3000', '中')`)
  })

  it('strips the characters that Python treats as white space', () => {
    expect(pythonStrip('\x1c\u3000 a b \x85')).toBe('a b')
    expect(pythonStrip('\ufeffa')).toBe('\ufeffa')
  })
})
