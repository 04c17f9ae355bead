import { expect, it } from 'vitest'
import { readPrintedNumber } from '../../src/text/printed-number.ts'

it.each([
  ['(1,234.5)', -1234.5, 0.05],
  ['-12%', -12, 0.5],
  ['$ 3,000', 3000, 0.5],
])('reads %s as accounts write it', (text, value, tolerance) => {
  expect(readPrintedNumber(text)).toEqual({ value, tolerance })
})

it.each(['(12', '12)', 'n/a', ''])('does not read %j as a number', text => {
  expect(readPrintedNumber(text)).toBeNull()
})
