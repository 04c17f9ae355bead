import { expect, test } from 'vitest'
import { growthExponent } from '../../bench/parts/statistics.ts'

test('costs proportional to the size have the exponent 1', () => {
  expect(growthExponent([1, 4, 16], [30, 120, 480])).toBeCloseTo(1, 12)
})

test('costs that quadruple when the size doubles have the exponent 2', () => {
  expect(growthExponent([1, 2, 4], [5, 20, 80])).toBeCloseTo(2, 12)
})
