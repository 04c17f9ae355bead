import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import type { ScoredItem } from '../../src/core/scored-item.ts'
import { listArms } from '../../src/report/model/arms.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { listUnseenNotes, listUnseenRows } from '../../src/report/model/unseen.ts'
import { sumLosses } from '../../src/report/model/waterfall.ts'
import { makeAttempt, makeCell, makeScore } from './records.ts'

const unseen = (goldRow: number) => makeCell({ goldRow, unseen: true })

function rows(...made: { task: string; setting: string; trial?: number; cells: Score['cells'] }[]) {
  const attempts = made.map(one => makeAttempt(one))
  const scores = attempts.map((attempt, at) => {
    const { cells } = made[at]!
    return makeScore(attempt, 1, { cells, unseenItems: cells.filter(cell => cell.unseen).length })
  })
  return listUnseenRows(joinEntries(attempts, scores)).filter(row => row.domain === 'all')
}

describe('the share of items that are correct without having been seen', () => {
  const online = { task: 't', setting: 'online', cells: [makeCell(), unseen(1), unseen(2), makeCell()] }

  it('is compared with the items that the model answers correctly closed-book', () => {
    const closedBook = { task: 't', setting: 'closed-book', cells: [unseen(1), makeCell({ goldRow: 2 })] }
    expect(rows(online, closedBook)).toMatchObject([
      { setting: 'online', n: 1, share: 0.5, alsoClosedBook: 0.5 },
    ])
  })

  it('is compared with all closed-book trials of the same task', () => {
    const trials = [1, 2].map(goldRow => ({
      task: 't',
      setting: 'closed-book',
      trial: goldRow,
      cells: [unseen(goldRow)],
    }))
    expect(rows(online, ...trials)[0]?.alsoClosedBook).toBe(1)
    expect(rows(online, { ...trials[0]!, task: 'u' })[0]?.alsoClosedBook).toBeNull()
  })

  it('is unknown for records that do not say what was shown', () => {
    const attempt = makeAttempt({ task: 't', setting: 'online' })
    expect(listUnseenRows(joinEntries([attempt], [makeScore(attempt, 1, { cells: [makeCell()] })]))).toEqual(
      [],
    )
  })
})

describe('losses', () => {
  const item = (over: Partial<ScoredItem>): ScoredItem => ({
    id: '.a',
    path: '.a',
    gold: 'x',
    predicted: null,
    score: 0,
    rule: 'x',
    class: null,
    ...over,
  })

  it('of JSON fields are counted like those of cells', () => {
    const items = [item({ score: 1, class: 'correct' }), item({ class: 'not-opened' })]
    const { recall, classes } = sumLosses({ cells: [], items })!
    expect([recall, [...classes]]).toEqual([0.5, [['not-opened', 0.5]]])
  })

  it('leave out items on which a judge failed, in recall and in the shares', () => {
    const items = [item({ score: 1, class: 'correct' }), item({ class: 'not-opened' }), item({ score: null })]
    const { recall, classes } = sumLosses({ cells: [], items })!
    expect([recall, [...classes]]).toEqual([0.5, [['not-opened', 0.5]]])
    expect(sumLosses({ cells: [], items: [item({ score: null })] })).toBeNull()
  })

  it('without a class are unknown, and the shares still add up to 1', () => {
    const items = [
      item({ score: 1, class: 'correct' }),
      item({}),
      item({ score: 0.5, class: 'wrong' }),
      item({}),
    ]
    const { recall, classes } = sumLosses({ cells: [], items })!
    expect([...classes]).toEqual([
      ['unknown', 0.5],
      ['wrong', 0.125],
    ])
    expect(recall + 0.625).toBe(1)
  })
})

describe('the notes about unseen items', () => {
  type Made = Parameters<typeof rows>[number] & {
    usage?: { searchCalls: number; fetchCalls: number }
    fork?: Attempt['fork']
  }
  const notesOf = (...made: Made[]) => {
    const attempts = made.map(({ usage = { searchCalls: 1, fetchCalls: 1 }, fork, ...one }) => {
      const attempt = makeAttempt(one)
      return { ...attempt, usage: { ...attempt.usage, ...usage }, ...(fork === undefined ? {} : { fork }) }
    })
    const scores = attempts.map((attempt, at) => {
      const { cells } = made[at]!
      return makeScore(attempt, 1, { cells, unseenItems: cells.filter(cell => cell.unseen).length })
    })
    const entries = joinEntries(attempts, scores)
    return listUnseenNotes(listUnseenRows(entries), entries, listArms(entries))
  }
  const online = { task: 't', setting: 'online', cells: [makeCell(), unseen(1)] }

  it('warn about an arm whose right items were never shown, and say whether closed-book knows them', () => {
    expect(notesOf(online)).toEqual([
      'online: the model was never shown 50.0% of the items that it has right. Add closed-book to --setting to see how many it answers without documents',
    ])
    expect(notesOf(online, { task: 't', setting: 'closed-book', cells: [unseen(1)] })).toEqual([
      'online: the model was never shown 50.0% of the items that it has right. 100.0% of these are also correct closed-book',
    ])
  })

  it('leave closed-book out when none of these items is also right there', () => {
    const closedBook = { task: 't', setting: 'closed-book', cells: [makeCell({ score: 0, class: 'wrong' })] }
    expect(notesOf(online, closedBook)).toEqual([
      'online: the model was never shown 50.0% of the items that it has right',
    ])
  })

  it('are absent when nearly every right item was shown', () => {
    const cells = [...Array.from({ length: 30 }, (_, goldRow) => makeCell({ goldRow })), unseen(30)]
    expect(notesOf({ ...online, cells })).toEqual([])
  })

  it('warn about online attempts without a search or a fetch', () => {
    const cells = [makeCell()]
    const none = { searchCalls: 0, fetchCalls: 0 }
    expect(notesOf({ ...online, cells, usage: none }, { ...online, task: 'u', cells })).toEqual([
      'online: 1 of 2 scored attempts made no search and no fetch, and still have right items. The model did not look them up',
    ])
    expect(notesOf({ ...online, setting: 'offline', cells, usage: none })).toEqual([])
  })

  it.each([
    { searchCalls: 2, fetchCalls: 0, notes: 0 },
    { searchCalls: 0, fetchCalls: 3, notes: 0 },
    { searchCalls: 0, fetchCalls: 0, notes: 1 },
    { searchCalls: null, fetchCalls: null, notes: 1 },
  ])('count what a fork replayed: $searchCalls searches, $fetchCalls fetches', ({ notes, ...replayed }) => {
    const fork = { replayed } as unknown as Attempt['fork']
    const usage = { searchCalls: 0, fetchCalls: 0 }
    expect(notesOf({ ...online, cells: [makeCell()], usage, fork })).toHaveLength(notes)
  })
})
