import { expect, it } from 'vitest'
import { nearestName } from '../../src/core/nearest-name.ts'

const names = ['strict', 'struc-bench-abilities', 'structext', 'struc-bench', 'gisa']

it.each([
  ['the name that the text begins', 'struct', 'structext'],
  ['the shortest of several such names', 'struc', 'structext'],
  ['the most similar name for another text', 'strct', 'strict'],
  ['nothing for two letters', 'gi', null],
  ['nothing for a text that is unlike all names', 'accuracy', null],
])('the nearest name is %s', (_what, given, expected) => {
  expect(nearestName(given, names)).toBe(expected)
})
