import { describe, expect, it } from 'vitest'
import { countRightCells, scoreText } from '../../bench/parts/reading-scores.ts'

describe('the score of an article', () => {
  it('is by runs of four words', () => {
    expect(scoreText('a b c d e', 'a b c d e')).toEqual({ precision: 1, recall: 1 })
    expect(scoreText('a b c d e', 'x a b c d')).toEqual({ precision: 0.5, recall: 0.5 })
    expect(scoreText('a b c d', '')).toEqual({ precision: 0, recall: 0 })
  })
})

describe('the right cells of a table', () => {
  const countRight = (rows: string[][], text: string): number => countRightCells(rows, [text]).right
  const rows = [
    ['City', 'Beds'],
    ['Oslo', '12'],
    ['Rome', '7'],
  ]

  it('stand in the right column, whatever marks surround them', () => {
    expect(
      countRight(rows, '| **City** | Beds |\n|---|---|\n| [Oslo](https://a.test/) | 12 |\n| Rome | 7 |'),
    ).toBe(6)
    expect(countRight(rows, 'City | Beds\nOslo | 12\nRome | 7')).toBe(6)
  })

  it('are not those that slid to another column or another table', () => {
    expect(countRight(rows, '| City | Beds |\n| 12 | Oslo |\n| Rome | 7 |')).toBe(4)
    expect(countRight(rows, '| City | Beds |\n\ntext\n\n| Oslo | 12 |\n| Rome | 7 |')).toBe(4)
    expect(countRight(rows, 'City\n\nBeds\n\nOslo\n\n12')).toBe(0)
  })

  it('may have rows between them, but keep their order', () => {
    expect(countRight(rows, '| City | Beds |\n| North | |\n| Oslo | 12 |\n| South | |\n| Rome | 7 |')).toBe(6)
    expect(countRight(rows, '| Rome | 7 |\n| Oslo | 12 |\n| City | Beds |')).toBe(2)
  })
})
