import { expect, it } from 'vitest'
import { nearestField, nearestName } from '../../src/core/nearest-name.ts'

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

it.each([
  ['key_columns', 'key_cols'],
  ['keyColumns', 'key_cols'],
  ['Key Cols', 'key_cols'],
  ['question', 'query'],
  ['notes', null],
])('finds the field that %s is likely meant for: %s', (name, field) => {
  expect(nearestField(name, { key_cols: ['key_columns'], query: ['question'] })).toBe(field)
})
