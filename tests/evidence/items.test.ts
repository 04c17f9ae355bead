import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/core/attempt.ts'
import type { Gold } from '../../src/core/gold.ts'
import type { ScoredItem } from '../../src/core/scored-item.ts'
import { type AttemptView, withLossClasses } from '../../src/evidence/attempt-views.ts'
import { listCorrectEvidence } from '../../src/evidence/gold-evidence.ts'
import { readLedgerAnswer } from '../../src/evidence/ledger-answer.ts'
import { findItemEvidence } from '../../src/evidence/matcher.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { listGoldItems } from '../../tasks/kinds/answer-kinds.ts'

const value = {
  title: 'Credit Agreement',
  amount: 4512137,
  secured: true,
  lenders: [
    { name: 'Alder Bank', share: 613902 },
    { name: 'Birch Trust', share: 98124 },
  ],
}
const json: Gold = { kind: 'json', schemaName: 'x', schema: {}, value, text: JSON.stringify(value) }
const text = 'Credit Agreement of Alder Bank, Birch Trust: 4,512,137 in all, 613,902 and 98,124.'

function field(path: string, over: Partial<ScoredItem> = {}): ScoredItem {
  return { id: path, path, gold: 'x', predicted: null, score: 0, rule: 'x', class: null, ...over }
}

const none = { csv: null, rows: null, columns: null, parseNote: null }

interface Ledger {
  readonly gold?: Gold
  readonly sight?: AttemptView | null
  readonly answer?: Answer
  readonly answered?: boolean
  readonly isEvidenceKnown?: boolean
  readonly cause?: string
}

function classed(items: readonly ScoredItem[], ledger: Ledger = {}) {
  const { gold = json, answered = true, isEvidenceKnown = true, cause = 'agent' } = ledger
  const answer: Answer = ledger.answer ?? { ...none, parseStatus: 'json', json: { note: 'nothing' } }
  const sight = ledger.sight === undefined ? sightOf(text) : ledger.sight
  return withLossClasses({ cells: [], items: [...items] }, sight, {
    evidence: isEvidenceKnown ? findItemEvidence(listGoldItems(gold), ['a.pdf']) : null,
    documents: [{ hint: 'a.pdf', text }],
    answer: readLedgerAnswer(answer, { answered }),
    cause,
    indexes: createTextIndexes(),
  })
}

const sightOf = (shown: string): AttemptView => ({
  kind: 'chunks',
  chunks: [{ hint: 'a.pdf', text: shown }],
})
const classesOf = (...given: Parameters<typeof classed>) => classed(...given).items.map(item => item.class)

describe('the class of a field', () => {
  it('depends on whether its value was shown, like that of a cell', () => {
    const shown = sightOf('Credit Agreement')
    const items = [field('.title'), field('.title', { predicted: 'Lease' }), field('.amount')]
    expect(classesOf(items, { sight: shown })).toEqual(['not-in-answer', 'wrong', 'not-retrieved'])
  })

  it('is wrong when the value is elsewhere in the answer', () => {
    const answer: Answer = { ...none, parseStatus: 'json', json: { other: ['4512137'] } }
    expect(classesOf([field('.amount')], { answer })).toEqual(['wrong'])
  })

  it('is decided by every value below a field that is scored as a whole', () => {
    expect(classesOf([field('.lenders')])).toEqual(['not-in-answer'])
    expect(classesOf([field('.lenders')], { sight: sightOf('Alder Bank, Birch Trust: 613,902') })).toEqual([
      'not-retrieved',
    ])
  })

  it('is decided by the document when the value is true or false, which is not searched for', () => {
    expect(classesOf([field('.secured')])).toEqual(['not-in-answer'])
    expect(classesOf([field('.secured', { predicted: 'false' })])).toEqual(['wrong'])
    expect(classesOf([field('.secured')], { sight: { kind: 'chunks', chunks: [] } })).toEqual([
      'not-retrieved',
    ])
  })

  it('is unreadable when the answer is not JSON of the schema', () => {
    expect(classesOf([field('.title')], { answered: false })).toEqual(['unreadable'])
  })

  it('is budget when the budget ended before an answer', () => {
    const answer: Answer = { ...none, parseStatus: 'none' }
    expect(classesOf([field('.title')], { answer, answered: false, cause: 'budget' })).toEqual(['budget'])
  })
})

describe('the class of an element of a list', () => {
  const gold: Gold = {
    kind: 'text',
    references: ['Alder Bank\nFir Works'],
    items: ['Alder Bank', 'Fir Works'],
  }
  const element = (index: number): ScoredItem => {
    const { path: _, ...item } = field(String(index))
    return { ...item, index }
  }

  it('is found by its index', () => {
    expect(classesOf([element(0), element(1)], { gold })).toEqual(['not-in-answer', 'no-evidence'])
  })
})

describe('an item whose evidence is unknown', () => {
  it('has only the classes that need no evidence', () => {
    const items = [field('.title', { score: 1 }), field('.title', { score: 0.5 }), field('.title')]
    expect(classesOf(items, { isEvidenceKnown: false })).toEqual(['correct', 'wrong', null])
    expect(classed(items, { isEvidenceKnown: false }).unseenItems).toBeUndefined()
  })
})

describe('a right item', () => {
  const right = [field('.title', { score: 1 }), field('.amount', { score: 1, gold: '4512137' })]
  const unseenOf = (sight: AttemptView | null) => {
    const { items, unseenItems } = classed(right, { sight })
    return [items.map(item => item.unseen === true), unseenItems]
  }

  it('is unseen when its evidence was never shown', () => {
    expect(unseenOf(sightOf('Credit Agreement of nobody'))).toEqual([[false, true], 1])
  })

  it('is not unseen when it was shown in any form', () => {
    expect(unseenOf(sightOf('CREDIT  AGREEMENT over 4.512137 million'))).toEqual([[false, false], 0])
  })

  it('is unseen in a setting that shows no documents; a wrong item is then lost in the answer', () => {
    expect(unseenOf({ kind: 'nothing' })).toEqual([[true, true], 2])
    expect(classesOf([field('.title')], { sight: { kind: 'nothing' } })).toEqual(['not-in-answer'])
  })

  it('is neither seen nor unseen when it is unknown what was shown', () => {
    expect(unseenOf(null)).toEqual([[false, false], undefined])
  })

  it('counts as seen online when any text of a tool shows it, such as a search result', () => {
    const step = { surfacedStep: null, openedStep: null, parsedStep: null, usedStep: null }
    const discovery = {
      hints: [{ ...step, hint: 'a.pdf', query: null, url: null }],
      recall: { surfaced: 0, opened: 0, parsed: 0, used: 0 },
      distractorsOpened: 0,
    }
    const sight = { kind: 'web', discovery, shown: [] } as const
    const snippet = 'Alder lends $4,512,137 …'
    expect(unseenOf({ ...sight, allShown: () => [snippet] })).toEqual([[true, false], 1])
  })
})

it('counts a right field as evidence of the values at its place and below', () => {
  const evidence = findItemEvidence(listGoldItems(json), [])
  const items = [field('.lenders', { score: 1 }), field('.title', { score: 0.9 })]
  expect(listCorrectEvidence(evidence, { cells: [], items }).map(one => one.id)).toEqual([
    '.lenders.0.name',
    '.lenders.0.share',
    '.lenders.1.name',
    '.lenders.1.share',
  ])
})
