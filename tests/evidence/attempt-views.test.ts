import { describe, expect, it } from 'vitest'
import { classedCells, shownAfterCut } from '../../src/evidence/attempt-views.ts'
import { shownDocuments } from '../../src/evidence/discovery.ts'
import { evidenceOfTable } from '../../src/evidence/matcher.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'

const documents = [{ hint: 'a.pdf', text: 'Revenue 1,111. Then much prose. Assets 2,222.' }]
const gold = {
  kind: 'table' as const,
  keyColumns: ['Filename'],
  targetColumns: ['Revenue', 'Assets'],
  numericColumns: ['Revenue', 'Assets'],
  rows: [{ Filename: 'a.pdf', Revenue: '1,111', Assets: '2,222' }],
}
const cells = gold.targetColumns.map(column => ({
  goldRow: 0,
  column,
  gold: String(gold.rows[0]![column as 'Revenue']),
  predicted: null,
  score: 0,
  rule: 'unmatched-row',
  class: null,
}))
const common = {
  cells,
  evidence: evidenceOfTable(gold, ['a.pdf']),
  documents,
  answer: { csv: 'Filename\nother\n', parseStatus: 'table' as const },
  cause: 'agent',
  indexes: createTextIndexes(),
}

function context(charsInPrompt: number, cutStrategy: string | null) {
  return { documents: [{ hint: 'a.pdf', chars: 45, charsInPrompt, problem: null }], cutStrategy }
}

describe('what an attempt saw', () => {
  it('is the whole document where nothing was cut, and nothing of one that the record does not name', () => {
    expect(shownAfterCut(documents, context(45, null))).toEqual(documents)
    expect(shownAfterCut(documents, null)[0]?.text).toBe('')
  })

  it('is the head, or both ends, as the cut left them', () => {
    expect(shownAfterCut(documents, context(13, 'even'))[0]?.text).toBe('Revenue 1,111')
    expect(shownAfterCut(documents, context(27, 'head-tail'))[0]?.text).toBe('Revenue 1,111.\nAssets 2,222.')
  })

  it('decides the class of a value that a cut took away', () => {
    const classed = classedCells({ kind: 'documents', context: context(14, 'even') }, common)
    expect(classed.map(cell => cell.class)).toEqual(['not-in-answer', 'not-in-view'])
  })

  it('decides the class of a value that no chunk brought', () => {
    const chunks = [{ hint: 'a.pdf', text: 'Assets 2,222' }]
    const classed = classedCells({ kind: 'chunks', chunks }, common)
    expect(classed.map(cell => cell.class)).toEqual(['not-retrieved', 'not-in-answer'])
  })

  it('decides the class of a value on a page that the agent did not turn to', () => {
    const opened = {
      kind: 'body' as const,
      url: 'https://files.example/a.pdf',
      finalUrl: 'https://files.example/a.pdf',
      sha256: 'aa',
      textSha256: 'text',
      shown: [1],
      links: [],
    }
    const discovery = {
      hints: [
        {
          hint: 'a.pdf',
          surfacedStep: 1,
          openedStep: 2,
          parsedStep: 2,
          usedStep: null,
          query: 'q',
          url: null,
        },
      ],
      recall: { surfaced: 1, opened: 1, parsed: 1, used: 0 },
      distractorsOpened: 0,
    }
    const trace = {
      targets: [{ hint: 'a.pdf', sha256: 'aa', text: documents[0]!.text }],
      answers: [{ step: 2, observations: [opened], text: 'page 1: Revenue 1,111.' }],
      textOf: () => documents[0]!.text,
      webMap: null,
    }
    const classed = classedCells({ kind: 'web', discovery, shown: shownDocuments(trace) }, common)
    expect(classed.map(cell => cell.class)).toEqual(['not-in-answer', 'not-in-view'])
  })
})
