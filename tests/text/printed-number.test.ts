import { expect, it } from 'vitest'
import { readPrintedNumber } from '../../src/text/printed-number.ts'

it.each([
  ['(1,234.5)', -1234.5, 0.05],
  ['-12%', -12, 0.5],
  ['$ 3,000', 3000, 0.5],
  ['3,5', 3.5, 0.05],
  ['1.234,50 €', 1234.5, 0.005],
  ['CHF 1’250.–', 1250, 0.5],
  ['12 345,6', 12345.6, 0.05],
  ['1.5e-2', 0.015, 0.0005],
  ['2e+06', 2_000_000, 500_000],
  ['5 000 kr', 5000, 0.5],
  ['٣٫٥', 3.5, 0.05],
])('reads %s as accounts write it', (text, value, tolerance) => {
  expect(readPrintedNumber(text)).toEqual({ value, tolerance })
})

it.each(['(12', '12)', 'n/a', '', '2024 2025', '3, 5', '五', '5 million', '5 kg', '12 ‰', '1,2345'])(
  'does not read %j as a number',
  text => {
    expect(readPrintedNumber(text)).toBeNull()
  },
)
