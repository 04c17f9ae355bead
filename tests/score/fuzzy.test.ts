import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCommonSubsequence } from '../../src/score/fuzzy/common-subsequence.ts'
import { computeTokenSortRatio, listCodePoints, sortTokens } from '../../src/score/fuzzy/token-sort.ts'
import { findMostSimilar, makeGoldKey } from '../../tasks/aoe/most-similar.ts'

const ratio = (left: string, right: string): number =>
  computeTokenSortRatio(sortTokens(left), sortTokens(right))

function plainLcs(a: readonly number[], b: readonly number[]): number {
  let previous = new Array<number>(b.length + 1).fill(0)
  for (const code of a) {
    const next = [0]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(code === b[j - 1] ? previous[j - 1]! + 1 : Math.max(previous[j]!, next[j - 1]!))
    }
    previous = next
  }
  return previous[b.length]!
}

describe('the similarity of keys', () => {
  it('equals the textbook longest common subsequence on any two texts', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '中', '😀'), maxLength: 90 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(measureCommonSubsequence(listCodePoints(a), listCodePoints(b))).toBe(
          plainLcs(listCodePoints(a), listCodePoints(b)),
        )
      }),
    )
  })

  it('sorts words, so that order and punctuation do not matter', () => {
    expect(ratio('Report, Annual_2020', 'annual 2020 report')).toBe(100)
  })

  it('is highest for two texts that are empty after processing', () => {
    expect(ratio('——', '？')).toBe(100)
    expect(ratio('', 'a')).toBe(0)
  })

  it('ignores the letters of Latin-1', () => {
    expect(ratio('café', 'caf')).toBe(100)
  })

  it('is 200 x LCS over both lengths for Chinese names', () => {
    expect(ratio('钱七合同纠纷案', '钱七合同纷案')).toBeCloseTo((200 * 6) / 13, 9)
  })
})

describe('the most similar key', () => {
  it('is the same with and without the bounds that avoid comparisons', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', '中'), maxLength: 14 })
    fc.assert(
      fc.property(key, fc.array(key, { maxLength: 8 }), (query, keys) => {
        const ratios = keys.map(text => ratio(query, text))
        const best = Math.max(...ratios, 0)
        const expected = best >= 89.5 ? ratios.indexOf(best) : null
        expect(
          findMostSimilar(
            sortTokens(query),
            keys.map((text, row) => makeGoldKey(text, row)),
          ),
        ).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})
