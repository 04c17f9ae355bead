import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../src/core/document.ts'
import type { TableGold } from '../../src/core/gold.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { ragControlOrders } from '../../src/run/attempt/controls/rag-controls.ts'
import { evidenceOfTable } from '../evidence/table-evidence.ts'

const gold: TableGold = {
  kind: 'table',
  keyColumns: ['Filename'],
  targetColumns: ['Revenue', 'Net Income', 'Products'],
  numericColumns: ['Revenue', 'Net Income'],
  rows: [
    {
      Filename: 'elm.txt',
      Revenue: '4512137',
      'Net Income': '613902',
      Products: '["oak boards","pine beams"]',
    },
    { Filename: 'fir.txt', Revenue: '98124', 'Net Income': '55555', Products: null },
  ],
}

const texts: readonly (readonly [hint: string, text: string])[] = [
  ['elm.txt', 'The company grows trees.'],
  ['elm.txt', 'Revenue was 4,512,137.'],
  ['elm.txt', 'Revenue was 4,512,137 and net income 613,902.'],
  ['elm.txt', 'It sells oak boards.'],
  ['elm.txt', 'It sells pine beams. Fir Works made 98,124.'],
  ['fir.txt', 'Saws boards for 613,902 people.'],
  ['fir.txt', 'Revenue was 98,124.'],
]
const chunks = texts.map(
  ([hint, text], index): Chunk => ({ id: `c${index}`, hint, index, start: 0, end: text.length, text }),
)

function order(
  name: keyof typeof ragControlOrders,
  more: Partial<Parameters<typeof ragControlOrders.oracle>[0]> = {},
): string[] {
  const chosen = ragControlOrders[name]({
    chunks,
    retrieved: [chunks[0]!, chunks[5]!],
    evidence: evidenceOfTable(gold, ['elm.txt', 'fir.txt']),
    indexes: createTextIndexes(),
    seed: 1,
    ...more,
  })
  return chosen.map(chunk => chunk.id)
}

describe('the oracle', () => {
  it('starts with the fewest chunks that contain every value found in a chunk of its own document', async () => {
    const chosen = order('oracle')
    expect(chosen[0]).toBe('c2')
    expect(chosen.slice(0, 4).sort()).toEqual(['c2', 'c3', 'c4', 'c6'])
  })

  it('continues with the other chunks that contain evidence and then with the retrieved chunks, without repeats', async () => {
    expect(order('oracle').slice(4)).toEqual(['c1', 'c0', 'c5'])
    const again = order('oracle', { retrieved: [chunks[6]!, chunks[0]!] })
    expect(again).toHaveLength(new Set(again).size)
  })

  it('equals the retrieved chunks when no chunk contains evidence', async () => {
    expect(order('oracle', { chunks: chunks.slice(0, 1) })).toEqual(['c0', 'c5'])
  })
})

describe('random chunks', () => {
  it('are all chunks in an order that depends on the seed only', async () => {
    const [first, second, other] = [order('random'), order('random'), order('random', { seed: 2 })]
    expect(first).toEqual(second)
    expect(other).not.toEqual(first)
    expect([...first].sort()).toEqual(chunks.map(chunk => chunk.id))
  })

  it('put each chunk first about equally often', async () => {
    const firsts = new Map<string, number>()
    for (let seed = 0; seed < 1_400; seed++) {
      const [first = ''] = order('random', { seed: (seed * 2_654_435_761) >>> 0 })
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
    }
    for (const { id } of chunks) expect(firsts.get(id)).toBeGreaterThan(130)
  })
})
