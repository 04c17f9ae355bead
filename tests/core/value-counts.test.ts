import { describe, expect, it } from 'vitest'
import { computeAbstentionRate, computeHallucinationRate, countValues } from '../../src/core/value-counts.ts'
import { makeCell } from '../report/records.ts'

const item = (gold: string, predicted: string | null, score: number | null) =>
  makeCell({ gold, predicted, score })

describe('the counts of values', () => {
  const items = [
    item('5', '5', 1),
    item('5', '6', 0),
    item('red; green', 'red', 0.5),
    item('', 'invented', 0),
    item('5', '', 0),
    item('5', null, 0),
    item('5', 'N/A', 0),
    item('', '', 1),
    item('5', 'of a failed judge', null),
  ]

  it('say how often an answer is confident and wrong, and how often it is silent', () => {
    const counts = countValues(items)
    expect(counts).toEqual({ givenValues: 4, wrongValues: 3, goldValues: 6, silentValues: 3 })
    expect(computeHallucinationRate(counts)).toBe(0.75)
    expect(computeAbstentionRate(counts)).toBe(0.5)
  })

  it.each([
    [item('', 'printed in a document', 0), { givenValues: 3, wrongValues: 2 }],
    [item('', '0', 0), { givenValues: 3, wrongValues: 2 }],
    [item('', 'printed, but accepted', 1), { givenValues: 3, wrongValues: 2 }],
  ])(
    'leave out values for which the gold is blank although the documents have one: %#',
    (blank, expected) => {
      const others = items.filter(({ predicted }) => predicted !== 'invented')
      expect(countValues([...others, { ...blank, class: 'gold-blank' as const }])).toMatchObject(expected)
    },
  )

  it('have no rates without values, or in records without counts', () => {
    const nothing = countValues([item('', null, 1)])
    expect([computeHallucinationRate(nothing), computeAbstentionRate(nothing)]).toEqual([null, null])
    expect([computeHallucinationRate({}), computeAbstentionRate({})]).toEqual([null, null])
  })
})
