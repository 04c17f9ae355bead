import { expect, it } from 'vitest'
import {
  boundTableMeasures,
  computeTableMeasures,
  countUndecidedRows,
} from '../../src/score/table/measures.ts'

it('leaves at most the unmatched gold rows open, however many rows a judge failed on', () => {
  expect(countUndecidedRows({ goldRows: 4, matchedRows: 3, failedRows: 5 })).toBe(1)
  expect(countUndecidedRows({ goldRows: 4, matchedRows: 1, failedRows: 2 })).toBe(2)
  expect(countUndecidedRows({ goldRows: 4, matchedRows: 0, failedRows: 1 })).toBe(4)
  const counts = { goldRows: 4, predictedRows: 8, matchedRows: 3, failedRows: 5, targets: 2, failedCells: 0 }
  expect(computeTableMeasures({ ...counts, sum: 3 })).toEqual({
    row: { precision: 1, recall: 1, f1: 1 },
    cell: { precision: 0.5, recall: 0.5, f1: 0.5 },
  })
})

it('bounds the measures by rows that a judge left open: at most as many as there are gold rows without a match', () => {
  const counts = { goldRows: 4, predictedRows: 4, matchedRows: 2, targets: 1, failedCells: 0, sum: 2 }
  const rowBounds = (failedRows: number) => {
    const { low, high } = boundTableMeasures({ ...counts, failedRows })
    return [low.row.f1, high.row.f1]
  }
  expect(rowBounds(1)).toEqual([0.5, 0.75])
  expect(rowBounds(2)).toEqual([0.5, 1])
  expect(boundTableMeasures({ ...counts, matchedRows: 3, sum: 3, failedRows: 5 }).high.row.recall).toBe(1)
})
