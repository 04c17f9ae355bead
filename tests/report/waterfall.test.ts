import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { cellClasses } from '../../src/core/cell-classes.ts'
import type { TableGold } from '../../src/core/gold.ts'
import type { Score } from '../../src/core/score.ts'
import { type AttemptView, withLossClasses } from '../../src/evidence/attempt-views.ts'
import { readLedgerAnswer } from '../../src/evidence/ledger-answer.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { noJudge } from '../../src/score/contract/judge.ts'
import { evidenceOfTable } from '../evidence/table-evidence.ts'
import { scoreAnswer } from '../score/score-answer.ts'
import { makeAttempt, scorers } from './records.ts'

const value = (at: number): string => String(1_111_111 * (at + 1))
const hints = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(name => `${name}.pdf`)
const gold: TableGold = {
  kind: 'table',
  keyColumns: ['Filename'],
  targetColumns: ['Revenue', 'Note'],
  numericColumns: ['Revenue'],
  // The gold has no revenue for h.pdf.
  rows: hints.map((hint, at) => ({
    Filename: hint,
    Revenue: at === 7 ? '' : value(at),
    Note: `red,green${at},blue,white`,
  })),
}
/** The text of f.pdf lacks its revenue. g.pdf could not be read. */
const documents = hints.map((hint, at) => ({
  hint,
  text: at === 6 ? '' : `${at === 5 ? 'no figure' : `revenue ${value(at)}`} red,green${at},blue,white`,
}))
const indexes = createTextIndexes()

async function scored(attempt: Attempt, answerText: string | null, sight: AttemptView): Promise<Score> {
  const score = await scoreAnswer({ attempt, answerText, gold, judge: noJudge })
  // As a judge gives it: a part of the first row's note.
  const judged = score.cells.map(cell =>
    cell.goldRow === 0 && cell.column === 'Note' && cell.predicted !== null ? { ...cell, score: 0.4 } : cell,
  )
  const classed = withLossClasses({ cells: judged, items: [] }, sight, {
    evidence: evidenceOfTable(gold, hints),
    documents,
    answer: readLedgerAnswer(attempt.answer, score),
    cause: attempt.termination.cause,
    isOutputCut: attempt.termination.reason === 'output-limit',
    indexes,
  })
  return { ...score, ...classed }
}

const context = {
  documents: hints.map((hint, at) => ({
    hint,
    chars: documents[at]!.text.length,
    charsInPrompt: at === 2 ? 4 : documents[at]!.text.length,
    problem: null,
  })),
  cutStrategy: 'head',
}
const step = { surfacedStep: 1, openedStep: 1, parsedStep: 1, usedStep: null, query: null, url: null }
const discovery = {
  hints: [
    { ...step, hint: 'a.pdf' },
    { ...step, hint: 'b.pdf', surfacedStep: null, openedStep: null, parsedStep: null },
    { ...step, hint: 'c.pdf', openedStep: null, parsedStep: null },
    { ...step, hint: 'd.pdf', parsedStep: null },
    { ...step, hint: 'e.pdf' },
    { ...step, hint: 'f.pdf' },
    { ...step, hint: 'g.pdf', parsedStep: null },
    { ...step, hint: 'h.pdf' },
  ],
  recall: { surfaced: 1, opened: 1, parsed: 1, used: 0 },
  distractorsOpened: 0,
}
/** Right, a wrong figure, nothing for three, and a row that gold lacks; of the notes a part of the first alone. */
const answer = `\`\`\`csv
Filename,Revenue,Note
a.pdf,${value(0)},"red,green0"
b.pdf,5,
c.pdf,,
d.pdf,,
f.pdf,,
g.pdf,,
h.pdf,7,
\`\`\``
const csv = answer.split('\n').slice(1, -1).join('\n')
const table = { csv, rows: 7, columns: ['Filename', 'Revenue', 'Note'], parseNote: null }

describe('the loss waterfall', () => {
  it('has every class of the ledger, and its shares add up to 1 with partial credit', async () => {
    const none = { csv: null, rows: null, columns: null, parseNote: null }
    const whole = { answer: { ...table, parseStatus: 'table' as const } }
    const end = { cause: 'budget', reason: 'tokens' } as const
    const offline = makeAttempt({ task: 't', setting: 'offline', over: whole })
    const rag = makeAttempt({ task: 't', setting: 'rag', over: whole })
    const online = makeAttempt({ task: 't', setting: 'online', over: { ...whole, discovery } })
    const broken = { answer: { ...none, parseStatus: 'unreadable' as const } }
    const unreadable = makeAttempt({ task: 'u', setting: 'online', over: broken })
    const silent = { answer: { ...none, parseStatus: 'none' as const } }
    const spent = makeAttempt({ task: 'v', setting: 'online', end, over: silent })
    const shown = [documents[0]!, documents[5]!]
    const limit = { cause: 'budget', reason: 'output-limit' } as const
    const cut = makeAttempt({ task: 'w', setting: 'offline', end: limit, over: whole })
    const blank = answer.replace('h.pdf,7,', `h.pdf,${value(7)},`)
    const copied = answer.replace('b.pdf,5,', 'b.pdf,98765,')
    const web = { kind: 'web', discovery, shown, allShown: () => [`red,green1,blue,white b 98765`] } as const
    const scores = [
      await scored(offline, answer, { kind: 'documents', context }),
      await scored(rag, answer, { kind: 'chunks', chunks: documents.slice(0, 2) }),
      await scored(online, answer, { ...web, atAnswer: () => ['a summary without figures'] }),
      await scored(unreadable, 'I could not make a table, sorry.', web),
      await scored(spent, null, web),
      await scored(cut, answer, { kind: 'documents', context }),
      await scored(offline, blank, { kind: 'documents', context }),
      await scored(online, copied, web),
    ]
    const found = new Set(scores.flatMap(score => score.cells.map(cell => cell.class)))
    expect([...found].sort()).toEqual([...cellClasses].sort())
    expect(scores.flatMap(score => score.cells).some(cell => (cell.score ?? 0) > 0 && cell.score! < 1)).toBe(
      true,
    )
    const { waterfall } = buildReport({
      scorers,
      manifest: { runId: 'r', startedAt: null, endedAt: null, config: {} },
      attempts: [offline, rag, online, unreadable, spent],
      scores,
      skippedTasks: [],
    })
    for (const row of waterfall) {
      const lost = Object.values(row.classes).reduce((sum, share) => sum + share, 0)
      expect(lost).toBeCloseTo(1 - row.recall, 12)
    }
    const own = waterfall.find(row => row.setting === 'offline' && row.domain === 'all')
    expect(own?.recall).toBeCloseTo((1 + 0.4) / 16, 12)
  })
})
