import { expect, it } from 'vitest'
import { sorted } from '../../../src/report/app/views/table.tsx'

it('sorts counts with units by their value, and unknown values last', () => {
  const rows = ['950', '–', '12.3k', '4.0m', '<0.0001', '999k', '-3.4'].map(text => [text])
  const order = sorted(rows, { column: 0, down: true }).map(([text]) => text)
  expect(order).toEqual(['4.0m', '999k', '12.3k', '950', '<0.0001', '-3.4', '–'])
})
