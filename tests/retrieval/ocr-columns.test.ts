import { describe, expect, it } from 'vitest'
import { type OcrLine, orderForReading } from '../../retrieval/ocr/reading-order.ts'

/** Returns lines on a page: every cell begins at a multiple of 500 pixels, and a letter is 10 pixels wide. */
function linesOf(rows: readonly (readonly string[])[]): OcrLine[] {
  return rows.map((cells, row) => ({
    text: cells.join(' | '),
    words: cells.flatMap((cell, column) => {
      let left = column * 500
      return cell.split(' ').flatMap(text => {
        const word = { text, left, right: left + text.length * 10, top: row * 40, height: 30 }
        left = word.right + 10
        return text === '' ? [] : [word]
      })
    }),
  }))
}

const text = (side: string): string[] =>
  ['first', 'second', 'third', 'fourth', 'fifth'].map(at => `the ${side} column has its ${at} line here`)

describe('the reading order of a scanned page', () => {
  it('takes one column of text after the other', () => {
    const [left, right] = [text('left'), text('right')]
    const lines = linesOf(left.map((part, at) => [part, right[at]!]))
    expect(orderForReading(lines).filter(line => line !== '')).toEqual([...left, ...right])
  })

  it('takes the longer first column to its end', () => {
    const [left, right] = [text('left'), text('right').slice(0, 4)]
    const lines = linesOf(left.map((part, at) => [part, right[at] ?? '']))
    expect(orderForReading(lines).filter(line => line !== '')).toEqual([...left, ...right])
  })

  it.each([
    [
      'numbers',
      ['Revenue of the group', 'Net income of the group', 'Total assets', 'Cash', 'Debt'].map((label, at) => [
        label,
        `${at},512`,
      ]),
    ],
    [
      'short texts',
      ['Anna Elm', 'Bertram Oakley the younger', 'Cho', 'Dora', 'Emil Ashgrove'].map(name => [
        name,
        'member of the board',
      ]),
    ],
  ])('keeps the rows of a table with %s together', (_kind, rows) => {
    const lines = linesOf(rows)
    expect(orderForReading(lines)).toEqual(lines.map(line => line.text))
  })
})
