import { describe, expect, it } from 'vitest'
import { type AttemptView, cutDocuments, withLossClasses } from '../../src/evidence/attempt-views.ts'
import { listShownDocuments } from '../../src/evidence/discovery.ts'
import { readLedgerAnswer } from '../../src/evidence/ledger-answer.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { evidenceOfTable } from './table-evidence.ts'

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
  evidence: evidenceOfTable(gold, ['a.pdf']),
  documents,
  answer: readLedgerAnswer(
    {
      csv: 'Filename\nother\n',
      rows: 1,
      columns: ['Filename'],
      parseStatus: 'table' as const,
      parseNote: null,
    },
    { answered: true },
  ),
  cause: 'agent',
  indexes: createTextIndexes(),
}

function classesBy(sight: AttemptView) {
  return withLossClasses({ cells, items: [] }, sight, common).cells.map(cell => cell.class)
}

function context(charsInPrompt: number, cutStrategy: string | null) {
  return { documents: [{ hint: 'a.pdf', chars: 45, charsInPrompt, problem: null }], cutStrategy }
}

describe('the documents that an attempt was shown', () => {
  it('include the whole document when nothing was cut, and nothing of a document missing in the record', () => {
    expect(cutDocuments(documents, context(45, null))).toEqual(documents)
    expect(cutDocuments(documents, null)[0]?.text).toBe('')
  })

  it('are the beginning or both ends after a cut', () => {
    expect(cutDocuments(documents, context(13, 'even'))[0]?.text).toBe('Revenue 1,111')
    expect(cutDocuments(documents, context(27, 'head-tail'))[0]?.text).toBe('Revenue 1,111.\nAssets 2,222.')
  })

  it('decide the class of a value that was cut off', () => {
    const sight = { kind: 'documents', context: context(14, 'even') } as const
    expect(classesBy(sight)).toEqual(['missed-row', 'not-in-view'])
  })

  it('decide the class of a value that is in no chunk', () => {
    const chunks = [{ hint: 'a.pdf', text: 'Assets 2,222' }]
    expect(classesBy({ kind: 'chunks', chunks })).toEqual(['not-retrieved', 'missed-row'])
  })

  it('decide the class of a value on a page that the agent did not open', () => {
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
    const shown = listShownDocuments(trace)
    expect(classesBy({ kind: 'web', discovery, shown, allShown: () => [] })).toEqual([
      'missed-row',
      'not-in-view',
    ])
  })
})
