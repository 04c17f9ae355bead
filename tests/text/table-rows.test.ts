import { describe, expect, it } from 'vitest'
import { findNewestCells, readTableRows } from '../../src/text/table-rows.ts'

const headings = /(?<balance>balance sheet)|(?<income>statements of income)/i
const rowsOf = (text: string) => [...readTableRows(text, headings)]

describe('rows of tables', () => {
  it('have the heading, unit and years above them', () => {
    const text = 'Balance Sheet\n(in millions)\nJune 30,\t2025\t2024\nTotal assets (Note 2):\t$ 1,234\t$ (56)'
    expect(rowsOf(text)[0]).toEqual({
      label: 'total assets',
      cells: ['1,234', '(56)'],
      heading: 'balance',
      unit: 1e6,
      years: [2025, 2024],
    })
  })

  it('accept a header with one date per line, and a new header below rows', () => {
    const text = 'March 29,\n2025\tMarch 30,\n2024\nRevenue\t5\t4\n\t2023\t2022\nCost\t3\t2'
    expect(rowsOf(text).map(row => row.years)).toEqual([
      [2025, 2024],
      [2025, 2024],
      [2023, 2022],
      [2023, 2022],
    ])
  })

  it('are returned again with the line above when that line is not a row', () => {
    const labels = rowsOf('Net cash provided by operating\nactivities\t9\t8\nNext\t1\t2').map(
      row => row.label,
    )
    expect(labels).toEqual(['activities', 'net cash provided by operating activities', 'next'])
  })

  const lines: [string, string, string[]][] = [
    ['Cash and cash equivalents $ 2,216.4 $ (913.4)', 'cash and cash equivalents', ['2,216.4', '(913.4)']],
    ['| 营业收入 | 七、61 | 1,000.00 | 900.00 | 11.1% |', '营业收入', ['1,000.00', '900.00']],
    ['一、营业 总收入  12  1,000.00  900.00', '营业总收入', ['1,000.00', '900.00']],
    ['Shareowners’ equity\t—\t$\t7', "shareowners' equity", ['—', '7']],
  ]
  for (const [line, label, cells] of lines) {
    it(`are read from '${line}'`, () => {
      expect(rowsOf(line)[0]).toMatchObject({ label, cells })
    })
  }

  it('do not exist in a text with lines of words only', () => {
    expect(rowsOf('In fiscal 2025 we grew.\nBalance sheet')).toEqual([])
  })
})

describe('the newest cells of a row', () => {
  const row = { label: '', heading: '', unit: null }

  it('follow the years, whatever their columns', () => {
    expect(findNewestCells({ ...row, cells: ['1', '2'], years: [2023, 2024] }, false)).toEqual(['2', '1'])
    expect(findNewestCells({ ...row, cells: ['1', '2', '3'], years: [] }, false)).toEqual(['1', '2'])
  })

  it('can be those of the longer period on request', () => {
    const both = { ...row, cells: ['1', '2', '3', '4'], years: [2025, 2024, 2025, 2024] }
    expect(findNewestCells(both, false)).toEqual(['1', '2'])
    expect(findNewestCells(both, true)).toEqual(['3', '4'])
  })

  it('ignore a year in the title', () => {
    expect(findNewestCells({ ...row, cells: ['1', '2'], years: [2024, 2023, 2024] }, false)).toEqual([
      '2',
      '1',
    ])
  })
})
