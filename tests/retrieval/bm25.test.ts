import { describe, expect, it } from 'vitest'
import { createBm25Index } from '../../retrieval/bm25.ts'
import { tokenize } from '../../retrieval/tokenize.ts'
import { seededRandom } from '../../src/core/runtime.ts'

describe('tokenize', () => {
  it('lower-cases, folds full-width letters and drops thousands separators', () => {
    expect(tokenize('ＡＤＰ Total-Revenues: $5,048.4')).toEqual(['adp', 'total', 'revenues', '5048.4'])
  })
  it('returns Chinese as characters and pairs, separate from Latin words', () => {
    expect(tokenize('营业收入2024年Q3')).toEqual([
      ...['营', '业', '营业', '收', '业收', '入', '收入'],
      ...['2024', '年', 'q3'],
    ])
  })
  it('returns the parts of a file name too', () => {
    expect(tokenize('adp_10q_fy2025q2.pdf')).toEqual(['adp', '10q', '10', 'fy2025q2', 'fy', '2025', 'pdf'])
  })
  it.each(['a', '营'])('accepts one hundred thousand times %j', character => {
    expect(tokenize(character.repeat(100_000)).at(-1)).toMatch(character)
  })
  it('returns nothing for text without words', () => {
    expect(tokenize(' — … \u0000')).toEqual([])
  })
})

describe('createBm25Index', () => {
  it('ranks the document with the rarer word first', () => {
    const index = createBm25Index([
      { text: 'net income of the company' },
      { text: 'net income of Cisco' },
      { text: 'swimming results' },
    ])
    expect(index.search('Cisco net income', 10)).toEqual([1, 0])
  })
  it('weights a word of the title more than a word of the text', () => {
    const index = createBm25Index([
      { title: 'filing', text: 'Cisco word word' },
      { title: 'Cisco', text: 'filing word word' },
    ])
    expect(index.search('cisco', 1)).toEqual([1])
  })
  it('ranks Chinese phrases above their separate characters', () => {
    const index = createBm25Index([{ text: '业务收益，营地入口' }, { text: '本期营业收入为一亿元' }])
    expect(index.search('营业收入', 2)[0]).toBe(1)
  })
  it('returns nothing for an empty index and for a query without known words', () => {
    expect(createBm25Index([]).search('x', 5)).toEqual([])
    expect(createBm25Index([{ text: '' }]).search('x', 5)).toEqual([])
  })
  it('keeps the order of documents with equal scores', () => {
    const index = createBm25Index([{ text: 'same words' }, { text: 'same words' }, { text: 'same words' }])
    expect(index.search('words', 5)).toEqual([0, 1, 2])
  })
  // Scores by Okapi's formula, computed apart from this code. Each pair changes its order between the weights in the name.
  it.each([
    ['length weight 0.70 and 0.75', { short: 2, long: [9, 2], others: [29] }, [0, 1]],
    ['length weight 0.75 and 0.80', { short: 3, long: [10, 2], others: [28] }, [1, 0]],
  ])('ranks by the published constants: %s', (_, { short, long: [chars, times], others }, order) => {
    const filler = (count: number): string => 'filler '.repeat(count)
    const index = createBm25Index([
      { text: `term ${filler(short - 1)}` },
      { text: 'term '.repeat(times!) + filler(chars! - times!) },
      ...others.map(count => ({ text: filler(count) })),
    ])
    expect(index.search('term', 2)).toEqual(order)
  })
  it.each([
    ['saturation 1.1 and 1.2', { both: 28, repeated: 11, others: 36 }, [1, 0]],
    ['saturation 1.2 and 1.3', { both: 22, repeated: 8, others: 34 }, [0, 1]],
  ])('ranks by the published constants: %s', (_, { both, repeated, others }, order) => {
    const filler = (count: number): string => 'filler '.repeat(count)
    const index = createBm25Index([
      { text: `left right ${filler(both - 2)}` },
      { text: 'left '.repeat(8) + filler(repeated - 8) },
      // As many documents have each word, so that both are equally rare.
      { text: `right ${filler(others - 1)}` },
      { text: filler(others) },
    ])
    expect(index.search('left right', 2).filter(document => document < 2)).toEqual(order)
  })
  it('returns the beginning of the full ranking for every limit, also within equal scores', () => {
    const random = seededRandom(3)
    const index = createBm25Index(
      Array.from({ length: 60 }, () => ({
        text: 'word '.repeat(1 + Math.floor(random() * 3)) + 'other '.repeat(Math.floor(random() * 3)),
      })),
    )
    const all = index.search('word other', 60)
    expect(all).toHaveLength(60)
    for (let limit = 0; limit <= 60; limit++)
      expect(index.search('word other', limit)).toEqual(all.slice(0, limit))
  })
  it('ranks a large collection as if it scored every document', () => {
    const random = seededRandom(11)
    const word = (): string => `w${Math.floor(3_000 ** random())}`
    const words = (count: number): string => Array.from({ length: count }, word).join(' ')
    const index = createBm25Index(
      Array.from({ length: 6_000 }, () => ({ text: words(5 + Math.floor(random() * 30)) })),
    )
    for (let made = 0; made < 200; made++) {
      const query = words(1 + Math.floor(random() * 8))
      const limit = [1, 10, 100, 300][made % 4]!
      // With a filter, every document is scored.
      expect(index.search(query, limit), query).toEqual(index.search(query, limit, () => true))
    }
  })
})
