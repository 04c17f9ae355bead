import { describe, expect, it } from 'vitest'
import { listNumberTokens } from '../../src/evidence/number-tokens.ts'

describe('the digits of a number in a text', () => {
  // A number of fewer than three digits is never looked up in another scale, so 0.61 must not count as three.
  it.each([
    ['214', 3],
    ['14', 2],
    ['0014', 2],
    ['0.61', 2],
    ['0.05', 1],
    ['1,040.50', 6],
  ])('of %s are %i', (text, digits) => {
    expect(listNumberTokens(text)[0]).toMatchObject({ digits })
  })
})
