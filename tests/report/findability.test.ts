import { describe, expect, it } from 'vitest'
import type { ScoredCell } from '../../src/core/scored-item.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { listFindabilityRows } from '../../src/report/model/unseen.ts'
import { makeAttempt, makeCell, makeScore } from './records.ts'

const attemptOf = (setting: string, cells: ScoredCell[]) => {
  const attempt = makeAttempt({ task: 't', setting })
  return { attempt, score: makeScore(attempt, 1, { cells }) }
}
const rowsOf = (...made: ReturnType<typeof attemptOf>[]) =>
  listFindabilityRows(
    joinEntries(
      made.map(one => one.attempt),
      made.map(one => one.score),
    ),
  )
const lost = (goldRow: number, name: ScoredCell['class'] = 'no-evidence') =>
  makeCell({ goldRow, score: 0, class: name })
const right = (goldRow: number) => makeCell({ goldRow, score: 1, class: 'correct' })

describe('the error rate of the search for evidence', () => {
  it('is the share of items without evidence that another attempt answers correctly', () => {
    const offline = attemptOf('offline', [lost(0), lost(1), right(2), lost(3, 'unread')])
    const rag = attemptOf('rag', [right(0), lost(1), lost(2, 'not-retrieved'), lost(3, 'unread')])
    expect(rowsOf(offline, rag)).toMatchObject([
      { items: 4, unfindable: 2, correctElsewhere: 1, errorRate: 0.5, unread: 1 },
    ])
  })

  it('ignores what is known without documents', () => {
    const rows = rowsOf(attemptOf('offline', [lost(0)]), attemptOf('closed-book', [right(0)]))
    expect(rows).toMatchObject([{ items: 1, unfindable: 1, correctElsewhere: 0, errorRate: 0 }])
  })

  it('is unknown when every item was found', () => {
    expect(rowsOf(attemptOf('offline', [right(0)]))).toMatchObject([{ unfindable: 0, errorRate: null }])
  })
})
