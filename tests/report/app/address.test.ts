import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatAddress, parseView, type View } from '../../../src/report/app/address.ts'

const id = fc.string({ minLength: 1, unit: 'grapheme' })
const view: fc.Arbitrary<View> = fc.oneof(
  fc.constant<View>({ name: 'overview', section: null }),
  fc.constant<View>({ name: 'overview', section: 'losses' }),
  fc.constant<View>({ name: 'matrix' }),
  fc.constant<View>({ name: 'attempts' }),
  fc.record({ name: fc.constant('task' as const), id, item: fc.option(id), attempt: fc.option(id) }),
  fc.record({
    ...{ name: fc.constant('task' as const), id, item: fc.constant(null), attempt: fc.constant(null) },
    arms: fc.array(fc.nat(), { minLength: 1 }),
  }),
  fc.record({ name: fc.constant('attempt' as const), id, event: fc.option(fc.nat()) }),
  fc.record({ name: fc.constant('attempt' as const), id, event: fc.constant(null), cause: id }),
)

it('reads every address that it writes', () => {
  fc.assert(
    fc.property(view, one => {
      expect(parseView(formatAddress(one))).toEqual(one)
    }),
  )
})

it.each(['#attempt=%ff%zz', '#view=nothing', '#', ''])('shows the overview for the address %j', hash => {
  expect(parseView(hash)).toEqual({ name: 'overview', section: null })
})
