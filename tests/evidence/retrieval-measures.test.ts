import { describe, expect, it } from 'vitest'
import { measureRetrieval } from '../../src/evidence/retrieval-measures.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { evidenceOfTable } from './table-evidence.ts'

const gold = {
  kind: 'table' as const,
  keyColumns: ['Filename'],
  targetColumns: ['Revenue', 'Assets', 'Agent'],
  numericColumns: ['Revenue', 'Assets'],
  rows: [
    { Filename: 'a.pdf', Revenue: '1,111', Assets: '2,222', Agent: 'Citibank' },
    { Filename: 'b.pdf', Revenue: '1,111', Assets: '3,333', Agent: null },
  ],
}
const documents = [
  { hint: 'a.pdf', text: 'Revenue 1,111\nAssets 2,222\nAgent: Citibank\nprose' },
  { hint: 'b.pdf', text: 'Revenue 1,111' },
]
const chunk = (hint: string, text: string) => ({ hint, text })

function measured(chunks: { hint: string; text: string }[], over: object = {}) {
  const evidence = evidenceOfTable(gold, ['a.pdf', 'b.pdf'])
  return measureRetrieval({
    documents,
    chunks,
    evidence,
    indexes: createTextIndexes(),
    ks: [1, 2, 3],
    ...over,
  })
}

describe('the retrieval measures of cells', () => {
  it('compute recall over the cells that are in the documents, and count the others', () => {
    const result = measured([])
    expect(result).toMatchObject({
      cellsFindable: 4,
      cellsUnfindable: 2,
      noise: null,
      medianEvidenceRank: null,
    })
    expect(result.evidenceRecall).toEqual({ '1': 0, '2': 0, '3': 0 })
  })

  it('are unknown when the evidence is unknown', () => {
    expect(measured([chunk('a.pdf', 'Revenue 1,111')], { evidence: null })).toEqual({
      evidenceInPrompt: null,
      evidenceRecall: { '1': null, '2': null, '3': null },
      cellsFindable: null,
      cellsUnfindable: null,
      noise: null,
      medianEvidenceRank: null,
    })
  })

  it('include the recall at each k and the median rank of the evidence found', () => {
    const result = measured([
      chunk('a.pdf', 'prose'),
      chunk('a.pdf', 'Revenue 1,111'),
      chunk('b.pdf', 'prose 2,222'),
      chunk('a.pdf', 'Assets 2,222'),
    ])
    expect(result.evidenceRecall).toEqual({ '1': 0, '2': 0.25, '3': 0.25 })
    expect(result).toMatchObject({ evidenceInPrompt: 0.5, medianEvidenceRank: 3 })
  })

  it('order ranks as numbers for the median', () => {
    const prose = Array.from({ length: 9 }, () => chunk('a.pdf', 'prose'))
    const result = measured([
      chunk('b.pdf', 'Revenue 1,111'),
      chunk('a.pdf', 'Agent: Citibank'),
      ...prose.slice(0, 7),
      chunk('a.pdf', 'Assets 2,222'),
    ])
    // The ranks are 1, 2 and 10.
    expect(result.medianEvidenceRank).toBe(2)
  })

  it('count a value only in a chunk of the document that the row names', () => {
    expect(measured([chunk('b.pdf', 'Revenue 1,111')]).evidenceInPrompt).toBe(0.25)
  })

  it('report noise as the share of characters in chunks without a gold value', () => {
    expect(measured([chunk('a.pdf', 'Assets 2,222'), chunk('a.pdf', 'x'.repeat(36))]).noise).toBe(0.75)
  })

  it('distinguish retrieved chunks from chunks in the prompt', () => {
    const all = [chunk('a.pdf', 'prose'), chunk('a.pdf', 'Citibank')]
    const result = measured(all.slice(0, 1), { retrieved: all })
    expect(result).toMatchObject({
      evidenceInPrompt: 0,
      evidenceRecall: { '2': 0.25 },
      medianEvidenceRank: 2,
    })
  })

  it('have no recall when no cell is findable', () => {
    const result = measured([chunk('a.pdf', 'x')], { documents: [{ hint: 'a.pdf', text: '' }] })
    expect(result).toMatchObject({
      evidenceInPrompt: null,
      evidenceRecall: { '1': null },
      cellsUnfindable: 6,
    })
  })
})
