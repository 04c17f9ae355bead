import { expect, it } from 'vitest'
import { countRightRows } from '../../bench/parts/reading-scores.ts'

const table = [
  ['Item', '2023', '2022'],
  ['Boats', '', '12'],
  ['Nets', '7', '9'],
  ['Ropes', '3', ''],
  ['Total', '', ''],
]

it('counts rows whose values are in the columns of most rows, empty cells among them', () => {
  const markdown =
    '| Item | 2023 | 2022 |\n| --- | --- | --- |\n| Boats |  | 12 |\n| Nets | 7 | 9 |\n| Ropes | 3 |  |'
  expect(countRightRows(table, markdown)).toEqual({ right: 4, all: 4 })
})

it('counts no row whose value moved to the left of an empty cell', () => {
  expect(countRightRows(table, 'Item\t2023\t2022\nBoats\t12\nNets\t7\t9\nRopes\t3')).toEqual({
    right: 3,
    all: 4,
  })
})

it('counts no row whose values are on two lines', () => {
  expect(countRightRows(table, 'Item\t2023\t2022\nNets\t7\n9\tRopes\t3').right).toBe(1)
})
