import { describe, expect, it } from 'vitest'
import type { CellClass } from '../../src/core/cell-classes.ts'
import { listPageStarts } from '../../src/core/document.ts'
import type { AttemptView } from '../../src/evidence/attempt-views.ts'
import { createEvidencePlacer } from '../../src/evidence/placed-evidence.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { evidenceOfTable } from './table-evidence.ts'

const pages = [
  { number: 1, text: 'Overview 2024\nOther costs 1,111', ocr: false },
  { number: 2, text: '', ocr: false },
  { number: 3, text: 'Alpha Bank\nRevenue\t1,111\t900\nBeta Bank\nRevenue\t2,222', ocr: false },
]
const text = 'Overview 2024\nOther costs 1,111\n\nAlpha Bank\nRevenue\t1,111\t900\nBeta Bank\nRevenue\t2,222'
const document = { hint: 'a.pdf', text, pageStarts: listPageStarts(pages) }
const evidence = evidenceOfTable(
  {
    kind: 'table',
    keyColumns: ['Bank'],
    targetColumns: ['Revenue'],
    numericColumns: ['Revenue'],
    rows: [
      { Bank: 'Alpha Bank', Revenue: '1,111' },
      { Bank: 'Beta Bank', Revenue: '2,222' },
    ],
  },
  ['a.pdf'],
)
const cell = (goldRow: number) => ({
  goldRow,
  column: 'Revenue',
  gold: goldRow === 0 ? '1,111' : '2,222',
  predicted: null,
  score: 0,
  rule: 'numeric',
  class: null,
})
const placeOf = (view: AttemptView, goldRow: number, itemClass: CellClass, isModelAsked = true) =>
  createEvidencePlacer({ evidence, documents: [document], view, isModelAsked, indexes: createTextIndexes() })(
    cell(goldRow),
    itemClass,
  )
const whole: AttemptView = {
  kind: 'documents',
  context: {
    documents: [{ hint: 'a.pdf', chars: text.length, charsInPrompt: text.length, problem: null }],
    cutStrategy: null,
  },
}
const mark = (page: number, shown: string) => `--- page ${page} ---\n${shown}`
const web = (shown: Extract<AttemptView, { kind: 'web' }>['shown']): AttemptView => ({
  kind: 'web',
  shown,
  allShown: () => [],
  discovery: {
    hints: [
      {
        hint: 'a.pdf',
        surfacedStep: 2,
        openedStep: null,
        parsedStep: null,
        usedStep: null,
        query: 'q',
        url: 'https://a.example/a.pdf',
      },
    ],
    recall: { surfaced: 1, opened: 0, parsed: 0, used: 0 },
    distractorsOpened: 0,
  },
})

describe('the place of the evidence of an item', () => {
  it('is the line that names its row and column, with its page', () => {
    const place = { document: 'a.pdf', page: 3, line: 'Revenue\t1,111\t900', state: 'shown', step: 1 }
    expect(placeOf(whole, 0, 'wrong')).toEqual(place)
  })

  it('is in the part that the cut left out', () => {
    const context = {
      documents: [{ hint: 'a.pdf', chars: 90, charsInPrompt: 40, problem: null }],
      cutStrategy: 'even',
    }
    expect(placeOf({ kind: 'documents', context }, 1, 'not-in-view')).toMatchObject({ page: 3, state: 'cut' })
  })

  it('has the page and turn of the tool result that showed it', () => {
    const shown = [
      { hint: 'a.pdf', text: mark(1, 'Overview'), step: 3, result: 0 },
      { hint: 'a.pdf', text: mark(7, 'Beta Bank\nRevenue 2,222'), step: 4, result: 2 },
    ]
    const place = { document: 'a.pdf', page: 7, line: 'Revenue 2,222', state: 'shown', step: 4, result: 2 }
    expect(placeOf(web(shown), 1, 'not-in-answer')).toEqual(place)
    expect(placeOf(web(shown), 1, 'cut-from-window')?.state).toBe('cut')
  })

  it('has the turn in which the attempt came closest to a line that it missed', () => {
    const shown = [{ hint: 'a.pdf', text: mark(1, 'Overview'), step: 3, result: 1 }]
    expect(placeOf(web(shown), 1, 'not-in-view')).toMatchObject({
      state: 'missed',
      step: 3,
      result: 1,
      page: 3,
    })
    expect(placeOf(web([]), 1, 'not-opened')).toMatchObject({ state: 'missed', step: 2 })
  })

  it('is the line with the name of the row when the answer lacks the row and no line has its value', () => {
    const chunk = { hint: 'a.pdf', text: 'Beta Bank\nRevenue' }
    expect(placeOf({ kind: 'chunks', chunks: [chunk] }, 1, 'missed-row')).toMatchObject({
      line: 'Beta Bank',
      page: 3,
      state: 'shown',
    })
  })

  it('is not a line in which a key of one word is part of another name', () => {
    const place = (shown: string) =>
      createEvidencePlacer({
        evidence: evidenceOfTable(
          {
            kind: 'table',
            keyColumns: ['Lender'],
            targetColumns: ['Borrower'],
            numericColumns: [],
            rows: [{ Lender: 'Branch', Borrower: 'Alpha Holdings' }],
          },
          [],
        ),
        documents: [{ hint: 'a.pdf', text: shown }],
        view: { kind: 'chunks', chunks: [{ hint: 'a.pdf', text: shown }] },
        isModelAsked: true,
        indexes: createTextIndexes(),
      })({ ...cell(0), column: 'Borrower', gold: 'Alpha Holdings' }, 'missed-row')
    expect(place('net income and branch profits taxes imposed on any Lender')).toBeNull()
    expect(place('Lenders\nBranch 12,000')?.line).toBe('Branch 12,000')
    expect(place('net income and branch profits taxes\n\nAlpha Holdings, as Borrower')?.line).toBe(
      'Alpha Holdings, as Borrower',
    )
  })

  it('is unknown without a class, without a document, and for values in no document', () => {
    expect(placeOf({ kind: 'nothing' }, 0, 'wrong')).toBeNull()
    expect(placeOf(whole, 0, 'no-evidence')).toBeNull()
  })

  it('was never shown when the budget refused the first call of the model', () => {
    expect(placeOf(whole, 0, 'budget', false)).toMatchObject({ page: 3, state: 'missed', step: null })
  })

  it('is the part of a long line around the value, and two lines for a name that spans them', () => {
    const long = `${'word '.repeat(200)}Gamma 3,333 ${'word '.repeat(200)}\nInternational Business\nMachines`
    const place = createEvidencePlacer({
      evidence: evidenceOfTable(
        {
          kind: 'table',
          keyColumns: ['Bank'],
          targetColumns: ['Revenue', 'Owner'],
          numericColumns: ['Revenue'],
          rows: [{ Bank: 'Gamma', Revenue: '3,333', Owner: 'International Business Machines' }],
        },
        [],
      ),
      documents: [{ hint: 'b.txt', text: long }],
      view: { kind: 'chunks', chunks: [{ hint: 'b.txt', text: long }] },
      isModelAsked: true,
      indexes: createTextIndexes(),
    })
    const revenue = place({ ...cell(0), gold: '3,333' }, 'wrong')
    expect(revenue?.line).toContain('Gamma 3,333')
    expect(revenue?.line.length).toBeLessThanOrEqual(200)
    expect(place({ ...cell(0), column: 'Owner' }, 'wrong')?.line).toBe('International Business\nMachines')
  })
})
