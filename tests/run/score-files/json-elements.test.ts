import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonElements } from '../../../src/run/score-files/json-elements.ts'

const read = (text: string): unknown[] => [...readJsonElements<unknown>(Buffer.from(text), JSON.parse)]

describe('the elements of a JSON list', () => {
  it('equal those of JSON.parse, however similarly they start (2,000 lists)', () => {
    const record = fc.record({ id: fc.string(), v: fc.jsonValue({ maxDepth: 2 }) })
    const element = fc.oneof(record, record, fc.jsonValue({ maxDepth: 3 }))
    const spaced = fc.tuple(fc.array(element, { maxLength: 6 }), fc.constantFrom(undefined, 1, '\t'))
    fc.assert(
      fc.property(spaced, ([list, space]) => {
        const text = JSON.stringify(list, null, space)
        expect(read(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('are right when a text inside an element looks like the border of two', () => {
    const list = [{ id: 'a' }, { id: '}, {"id": "x"}, {"id"' }, { id: 'b', of: [{ id: 1 }, { id: 2 }] }]
    for (const space of [undefined, 1]) expect(read(JSON.stringify(list, null, space))).toEqual(list)
    expect(read('[{"id": 1}, {"id": 2, "of": [{"id": 3}, {"id": 4}]}, {"id": 5}]')).toHaveLength(3)
  })

  it('end with an error when the data is not a list, breaks off, or contains invalid JSON', () => {
    for (const text of ['', '{}', '[{"id": 1}, {"id": 2}', '[{"id": 1}, {"id": }]', '[1, 2] 3', '[1,]'])
      expect(() => read(text)).toThrow(SyntaxError)
  })
})
