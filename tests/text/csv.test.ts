import { describe, expect, it } from 'vitest'
import { readWrittenCsv, writeCsv } from '../../src/text/csv.ts'

describe('readWrittenCsv', () => {
  it.each([
    [
      'plain cells',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'separators, quotes and line ends in cells',
      [
        ['a,b', 'say "no"'],
        ['one\ntwo', 'three\r\nfour'],
        ['"', '""'],
      ],
    ],
    [
      'empty cells and blanks',
      [
        ['a', 'b'],
        ['', ''],
        [' ', ' x '],
        ['', 'y'],
      ],
    ],
    ['a single column with empty cells', [['a'], [''], [' '], ['x']]],
    ['a header alone', [['a', 'b']]],
    [
      'other scripts',
      [
        ['营业收入', 'café'],
        ['１', '\ufeff'],
      ],
    ],
  ])('returns the rows that writeCsv wrote: %s', (_, rows) => {
    expect(readWrittenCsv(writeCsv(rows))).toEqual(rows)
  })

  it('refuses a quote that never closes', () => {
    expect(() => readWrittenCsv('a\n"b')).toThrow('never closes')
  })
})
