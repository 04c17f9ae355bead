import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/core/attempt.ts'
import { type CellClass, cellClasses } from '../../src/core/cell-classes.ts'
import type { ScoredCell } from '../../src/core/scored-item.ts'
import {
  type DocumentView,
  listOfflineViews,
  listOnlineViews,
  listRagViews,
} from '../../src/evidence/document-views.ts'
import { classifyItems, type LedgerInput } from '../../src/evidence/ledger.ts'
import { type LedgerAnswer, readLedgerAnswer } from '../../src/evidence/ledger-answer.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { sumLosses } from '../../src/report/model/waterfall.ts'
import { evidenceOfTable } from './table-evidence.ts'

const hints = ['a.pdf', 'b.pdf']
const gold = {
  kind: 'table' as const,
  keyColumns: ['Filename'],
  targetColumns: ['Revenue'],
  numericColumns: ['Revenue'],
  rows: [
    { Filename: 'a.pdf', Revenue: '1,111' },
    { Filename: 'b.pdf', Revenue: '2,222' },
  ],
}
const documents = [
  { hint: 'a.pdf', text: 'Revenue 1,111' },
  { hint: 'b.pdf', text: 'Revenue 2,222' },
]

function cell(goldRow: number, over: Partial<ScoredCell> = {}): ScoredCell {
  const value = gold.rows[goldRow]!.Revenue
  return {
    goldRow,
    column: 'Revenue',
    gold: value,
    predicted: null,
    score: 0,
    rule: 'x',
    class: null,
    ...over,
  }
}

function answerOf(csv: string | null, parseStatus: Answer['parseStatus'] = 'table'): LedgerAnswer {
  const read = { csv, parseStatus, rows: null, columns: null, parseNote: null }
  return readLedgerAnswer(read, { answered: parseStatus === 'table' })
}

function classes(over: Partial<LedgerInput>): (CellClass | null)[] {
  return classifyItems({
    items: [cell(0)],
    evidence: evidenceOfTable(gold, hints),
    documents,
    views: listOfflineViews(documents),
    answer: answerOf('Filename,Revenue\nb.pdf,5\n'),
    cause: 'agent',
    indexes: createTextIndexes(),
    allShown: () => [],
    ...over,
  }).map(one => one.class)
}

function view(over: Partial<DocumentView>): DocumentView[] {
  return [{ hint: 'a.pdf', lostAt: 'not-surfaced', shown: [], ...over }]
}

describe('the loss ledger', () => {
  it('classifies a full score as correct, whatever the source of the value', () => {
    expect(classes({ items: [cell(0, { score: 1, predicted: '1,111' })], documents: [] })).toEqual([
      'correct',
    ])
  })

  it('classifies the rest of a partial credit as wrong, before all other classes', () => {
    expect(classes({ items: [cell(0, { score: 0.4, predicted: '1' })], views: view({}) })).toEqual(['wrong'])
  })

  it('classifies a missing answer as budget at the end of a budget, else as unreadable', () => {
    const none = answerOf(null, 'none')
    expect(classes({ answer: none, cause: 'budget' })).toEqual(['budget'])
    expect(classes({ answer: none, cause: 'agent' })).toEqual(['unreadable'])
  })

  it('classifies an answer that cannot be read as unreadable, also at the end of a budget', () => {
    const unreadable = answerOf(null, 'unreadable')
    expect(classes({ answer: unreadable, cause: 'budget' })).toEqual(['unreadable'])
  })

  it('classifies a value that no document contains as no-evidence', () => {
    expect(classes({ documents: [{ hint: 'a.pdf', text: 'nothing' }, documents[1]!] })).toEqual([
      'no-evidence',
    ])
  })

  it.each(['not-surfaced', 'not-opened', 'not-parsed', 'not-in-view', 'not-retrieved'] as const)(
    'classifies a value that was never shown by the stage that its document reached: %s',
    lostAt => {
      expect(classes({ views: view({ lostAt }) })).toEqual([lostAt])
      const guessed = cell(0, { predicted: '9' })
      expect(classes({ views: view({ lostAt }), items: [guessed] })).toEqual([lostAt])
    },
  )

  it('classifies a value that was shown but is not answered as not-in-answer', () => {
    expect(classes({})).toEqual(['not-in-answer'])
    expect(classes({ items: [cell(0, { predicted: '' })] })).toEqual(['not-in-answer'])
  })

  it('classifies a value that was shown but answered differently as wrong', () => {
    expect(classes({ items: [cell(0, { predicted: '9' })] })).toEqual(['wrong'])
  })

  it('classifies an unmatched row as wrong when the answer contains the value', () => {
    const answer = answerOf('Filename,Revenue\nunknown.pdf,1111\n')
    expect(classes({ answer })).toEqual(['wrong'])
  })

  it('does not look for the value of a missing row in rows that belong to other gold rows', () => {
    const answer = answerOf('Filename,Revenue\nb.pdf,1111\n')
    const matched = { row: 0, by: 'exact key', similarity: null }
    const items = [cell(0, { matched: null }), cell(1, { matched, predicted: '1111' })]
    expect(classes({ answer, items })).toEqual(['missed-row', 'wrong'])
  })

  it('uses the stage of the document that came furthest when no key names one', () => {
    const anyKey = { ...gold, keyColumns: ['Name'], rows: [{ Name: 'x', Revenue: '1,111' }] }
    const both = hints.map(hint => ({ hint, text: 'Revenue 1,111' }))
    const views: DocumentView[] = [
      { hint: 'a.pdf', lostAt: 'not-surfaced', shown: [] },
      { hint: 'b.pdf', lostAt: 'not-parsed', shown: [] },
    ]
    expect(classes({ evidence: evidenceOfTable(anyKey, hints), documents: both, views })).toEqual([
      'not-parsed',
    ])
  })

  it('uses the worst stage of a value whose parts are in several documents', () => {
    const listed = {
      ...gold,
      numericColumns: [],
      keyColumns: ['Name'],
      rows: [{ Name: 'x', Revenue: '["one", "two"]' }],
    }
    const parts = [
      { hint: 'a.pdf', text: 'one' },
      { hint: 'b.pdf', text: 'two' },
    ]
    const views: DocumentView[] = [
      { hint: 'a.pdf', lostAt: 'not-in-view', shown: ['one'] },
      { hint: 'b.pdf', lostAt: 'not-opened', shown: [] },
    ]
    expect(classes({ evidence: evidenceOfTable(listed, hints), documents: parts, views })).toEqual([
      'not-opened',
    ])
  })

  it('creates the views of each setting', () => {
    expect(listRagViews(hints, [{ hint: 'b.pdf', text: 'chunk' }])).toEqual([
      { hint: 'a.pdf', lostAt: 'not-retrieved', shown: [] },
      { hint: 'b.pdf', lostAt: 'not-retrieved', shown: ['chunk'] },
    ])
    const hint = { usedStep: null, query: null, url: null }
    const discovery = {
      hints: [
        { ...hint, hint: 'n', surfacedStep: null, openedStep: null, parsedStep: null },
        { ...hint, hint: 's', surfacedStep: 1, openedStep: null, parsedStep: null },
        { ...hint, hint: 'o', surfacedStep: 1, openedStep: 2, parsedStep: null },
        { ...hint, hint: 'p', surfacedStep: null, openedStep: 2, parsedStep: 2 },
      ],
      recall: { surfaced: null, opened: null, parsed: null, used: null },
      distractorsOpened: 0,
    }
    const views = listOnlineViews(discovery, [{ hint: 'p', text: 'page 1' }])
    expect(views.map(one => one.lostAt)).toEqual(['not-surfaced', 'not-opened', 'not-parsed', 'not-in-view'])
    expect(views[3]?.shown).toEqual(['page 1'])
  })

  it('classifies every cell of any attempt once, with losses that sum to 1 - recall', () => {
    const scores = fc.constantFrom(0, 1, 0.25, 0.8, 1 / 3)
    const stage = fc.constantFrom(
      'not-surfaced',
      'not-opened',
      'not-parsed',
      'not-in-view',
      'not-retrieved' as const,
    )
    const attempt = fc.record({
      rows: fc.array(
        fc.record({
          score: scores,
          value: fc.integer({ min: 0, max: 9 }),
          predicted: fc.option(fc.string()),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      stages: fc.tuple(stage, stage),
      shown: fc.tuple(fc.boolean(), fc.boolean()),
      parseStatus: fc.constantFrom('table', 'unreadable', 'none' as const),
      cause: fc.constantFrom('agent', 'budget'),
    })
    fc.assert(
      fc.property(attempt, made => {
        const table = {
          ...gold,
          rows: made.rows.map((row, at) => ({
            Filename: hints[at % 2]!,
            Revenue: `${row.value}17${row.value}`,
          })),
        }
        const texts = hints.map((hint, at) => ({
          hint,
          text: at === 0 ? '1171 2172 3173 4174' : '5175 6176 7177',
        }))
        const cells = made.rows.map((row, goldRow) => ({
          ...cell(0),
          goldRow,
          gold: table.rows[goldRow]!.Revenue,
          score: row.score,
          predicted: row.predicted,
        }))
        const views = hints.map((hint, at) => ({
          hint,
          lostAt: made.stages[at as 0 | 1],
          shown: made.shown[at as 0 | 1] ? [texts[at]!.text] : [],
        })) as DocumentView[]
        const answer = answerOf(made.parseStatus === 'table' ? 'a\n2172\n' : null, made.parseStatus)
        const found = classes({
          evidence: evidenceOfTable(table, hints),
          documents: texts,
          items: cells,
          views,
          answer,
          cause: made.cause,
        })
        const classed = cells.map((one, at) => ({ ...one, class: found[at] ?? null }))
        const recall = classed.reduce((sum, one) => sum + one.score, 0) / classed.length
        const lost = [...sumLosses({ cells: classed, items: [] })!.classes.values()].reduce(
          (sum, share) => sum + share,
          0,
        )
        expect(found).not.toContain(null)
        expect(lost).toBeCloseTo(1 - recall, 12)
      }),
      { numRuns: 500 },
    )
  })
})

/** Three lenders of one agreement, all with the same borrower. The lenders are listed on another page. */
describe('a row that the answer lacks', () => {
  const lenders = ['Alder Bank', 'Birch Trust', 'Pdf Savings']
  const agreement = {
    ...gold,
    keyColumns: ['Filename', 'Lender'],
    targetColumns: ['Revenue'],
    numericColumns: [],
    rows: lenders.map(Lender => ({ Filename: 'a.pdf', Lender, Revenue: 'Elm Systems' })),
  }
  const firstPage = 'The borrower is Elm Systems.'
  const texts = [{ hint: 'a.pdf', text: `${firstPage}\nLenders: ${lenders.join(', ')}` }]
  const items = lenders.map((_, row) =>
    cell(row % 2, { goldRow: row, gold: 'Elm Systems', matched: null, rule: 'unmatched-row' }),
  )
  const common = { evidence: evidenceOfTable(agreement, hints), documents: texts, items }
  const whole = listOfflineViews(texts)
  const answer = (...rows: string[]) => answerOf(['Filename,Lender,Revenue', ...rows, ''].join('\n'))

  it('is lost where its key was lost, although its value was shown', () => {
    const views: DocumentView[] = [{ hint: 'a.pdf', lostAt: 'not-retrieved', shown: [firstPage] }]
    expect(classes({ ...common, views })).toEqual(Array(3).fill('not-retrieved'))
    expect(classes({ ...common, views: whole })).toEqual(Array(3).fill('missed-row'))
  })

  it('is cut-from-window when its key was removed before the answer', () => {
    const atAnswer = () => [firstPage, 'Noted: Birch Trust']
    expect(classes({ ...common, views: whole, atAnswer })).toEqual([
      'cut-from-window',
      'missed-row',
      'cut-from-window',
    ])
  })

  it('is not judged by keys that no document contains', () => {
    const unnamed = [{ hint: 'a.pdf', text: firstPage }]
    expect(classes({ ...common, documents: unnamed, views: listOfflineViews(unnamed) })).toEqual(
      Array(3).fill('missed-row'),
    )
  })

  it('is not wrong for its value in a row of the answer that names no such key', () => {
    const unnamed = answer('a.pdf,null,Elm Systems')
    expect(classes({ ...common, views: whole, answer: unnamed })).toEqual(Array(3).fill('missed-row'))
  })

  it('is wrong when an unmatched row of the answer is like it; such a row stands for one gold row', () => {
    const like = answer('a.pdf,Birch & Co,Elm Systems')
    expect(classes({ ...common, views: whole, answer: like })).toEqual(['missed-row', 'wrong', 'missed-row'])
  })
})

/** Each case fits the class and classes after it in the order. */
describe('the first class that fits', () => {
  const blankGold = {
    ...gold,
    targetColumns: ['Revenue', 'Note'],
    rows: [
      { Filename: 'a.pdf', Revenue: '', Note: 'fir' },
      { Filename: 'b.pdf', Revenue: '2,222', Note: 'oak' },
    ],
  }
  const texts = [
    { hint: 'a.pdf', text: 'the fir' },
    { hint: 'b.pdf', text: 'nothing' },
  ]
  const common = {
    evidence: evidenceOfTable(blankGold, hints),
    documents: texts,
    views: listOfflineViews(texts),
  }
  const blank = (over: Partial<ScoredCell>) => ({ ...cell(0), gold: '', ...over })
  const lost = (over: Partial<ScoredCell>) => ({ ...cell(1), gold: '2,222', ...over })
  const missed = { matched: null, rule: 'unmatched-row' }

  it('is invented for a value where the gold has none, before any class that needs evidence', () => {
    for (const given of ['5', 'Oak Ltd.'])
      expect(classes({ ...common, items: [blank({ predicted: given })] })).toEqual(['invented'])
    expect(classes({ evidence: null, items: [blank({ predicted: '5' })] })).toEqual(['invented'])
  })

  it.each(['N/A', 'null', '—', '未提及', '不适用', '无'])(
    'is not invented for %s, which is no value',
    text => {
      expect(classes({ ...common, items: [blank({ predicted: text })] })).toEqual(['wrong'])
      expect(classes({ ...common, items: [cell(0, { ...missed, gold: text })] })).toEqual(['missed-row'])
    },
  )

  it('is missed-row for a row that the answer lacks, before no-evidence', () => {
    expect(classes({ ...common, items: [lost(missed), blank(missed)] })).toEqual(['missed-row', 'missed-row'])
    expect(classes({ ...common, items: [lost({}), lost({ predicted: '9' })] })).toEqual([
      'no-evidence',
      'no-evidence',
    ])
  })

  it('is the stage at which the row was lost, before missed-row', () => {
    const note = { ...blank(missed), column: 'Note', gold: 'fir' }
    const views: DocumentView[] = [{ hint: 'a.pdf', lostAt: 'not-surfaced', shown: [] }]
    expect(classes({ ...common, views, items: [note, blank(missed)] })).toEqual([
      'not-surfaced',
      'not-surfaced',
    ])
    expect(classes({ ...common, views, items: [blank(missed)] })).toEqual(['not-surfaced'])
  })

  it('is unread when the document or pages of it could not be read, before missed-row and no-evidence', () => {
    const unread = [texts[0]!, { hint: 'b.pdf', text: '' }]
    const partly = [texts[0]!, { ...texts[1]!, isPartlyUnread: true }]
    for (const documents of [unread, partly])
      expect(classes({ ...common, documents, items: [lost({}), lost(missed)] })).toEqual(['unread', 'unread'])
    expect(classes({ ...common, documents: partly, items: [blank(missed)] })).toEqual(['missed-row'])
  })

  it('is the stage that the document reached, before unread, when no call asked for it', () => {
    const unread = [texts[0]!, { hint: 'b.pdf', text: '' }]
    const at = (lostAt: DocumentView['lostAt'], wasTried = false) =>
      classes({
        ...common,
        documents: unread,
        views: [{ hint: 'b.pdf', lostAt, shown: [], wasTried }],
        items: [lost({})],
      })
    expect(at('not-surfaced')).toEqual(['not-surfaced'])
    expect(at('not-opened')).toEqual(['not-opened'])
    expect(at('not-opened', true)).toEqual(['unread'])
    expect(at('not-parsed')).toEqual(['unread'])
  })

  it('is cut-from-window for a value that was removed before the answer, before wrong and missed-row', () => {
    const items = [cell(0), cell(0, { predicted: '9' }), cell(0, missed)]
    const cut = ['cut-from-window', 'cut-from-window', 'cut-from-window']
    expect(classes({ items, atAnswer: () => ['Revenue of b: 2,222'] })).toEqual(cut)
    const noted = ['not-in-answer', 'wrong', 'missed-row']
    expect(classes({ items, atAnswer: () => ['I note: a has 1,111'] })).toEqual(noted)
    expect(classes({ items, atAnswer: () => null })).toEqual(noted)
  })

  it('is wrong for a value in another row of the answer, although it was removed', () => {
    const answer = answerOf('Filename,Revenue\nunknown.pdf,1111\n')
    expect(classes({ answer, atAnswer: () => [], items: [cell(0, missed)] })).toEqual(['wrong'])
  })

  it('has the order that docs/scoring.md lists', async () => {
    const page = await readFile(new URL('../../docs/scoring.md', import.meta.url), 'utf8')
    const table = page.slice(page.indexOf('## The loss waterfall')).split('\n- ')[0]!
    const listed = [...table.matchAll(/^\| ([a-z-]+(?:, [a-z-]+)*) \|/gm)].flatMap(([, names]) =>
      names!.split(', '),
    )
    expect(listed.filter(name => name !== 'class')).toEqual([...cellClasses, 'unknown'])
  })
})

describe('an item of an answer that the output limit cut', () => {
  const missed = { matched: null, rule: 'unmatched-row' }
  const cut = { isOutputCut: true, cause: 'budget' }
  const inRow = (row: number, over: Partial<ScoredCell> = {}) =>
    cell(0, { matched: { row, by: 'exact key', similarity: null }, ...over })

  it.each(['not-surfaced', 'not-opened', 'not-parsed', 'not-retrieved'] as const)(
    'keeps the earlier stage of its document: %s',
    lostAt =>
      expect(classes({ ...cut, views: view({ lostAt }), items: [cell(0, missed)] })).toEqual([lostAt]),
  )

  it('is cut-output in a row that is missing, before not-in-view, missed-row, unread and no-evidence', () => {
    const items = [cell(0, missed)]
    const [other] = documents.slice(1)
    expect(classes({ ...cut, items })).toEqual(['cut-output'])
    expect(classes({ ...cut, items, views: view({ lostAt: 'not-in-view' }) })).toEqual(['cut-output'])
    expect(classes({ ...cut, items, documents: [{ hint: 'a.pdf', text: '' }] })).toEqual(['cut-output'])
    expect(classes({ ...cut, items, documents: [{ hint: 'a.pdf', text: 'no' }, other!] })).toEqual([
      'cut-output',
    ])
    expect(classes({ items })).toEqual(['missed-row'])
  })

  it('is cut-output in the last row only, when the cell is blank or is the beginning of the gold value', () => {
    const answer = answerOf('Filename,Revenue\nb.pdf,5\na.pdf,1\n')
    const classIn = (row: number, predicted: string | null) =>
      classes({ ...cut, answer, items: [inRow(row, { predicted })] })[0]
    expect([classIn(1, ''), classIn(1, '1,1'), classIn(1, null)]).toEqual(Array(3).fill('cut-output'))
    expect([classIn(1, '9'), classIn(0, '1,1'), classIn(0, '')]).toEqual(['wrong', 'wrong', 'not-in-answer'])
  })

  it('is wrong when a row that matches no gold row has the value', () => {
    const answer = answerOf('Filename,Revenue\nunknown.pdf,1111\n')
    expect(classes({ ...cut, answer, items: [cell(0, missed)] })).toEqual(['wrong'])
  })

  it('is cut-output when the cut left nothing readable, and budget when there is no answer', () => {
    expect(classes({ ...cut, answer: answerOf(null, 'unreadable') })).toEqual(['cut-output'])
    expect(classes({ ...cut, answer: answerOf(null, 'none') })).toEqual(['budget'])
  })
})

describe('a value of the answer where the gold is blank', () => {
  const table = {
    ...gold,
    keyColumns: ['Filename', 'Lender'],
    targetColumns: ['Net Income', 'Revenue', 'Net Profit Margin', 'City'],
    numericColumns: ['Net Income', 'Revenue', 'Net Profit Margin'],
    rows: [
      {
        Filename: 'a.pdf',
        Lender: 'Oak Bank',
        'Net Income': '',
        Revenue: '',
        'Net Profit Margin': '',
        City: '',
      },
    ],
  }
  const text = 'Revenue 1,250\nNet income 500\nOak Bank 7\nseat in Zürich\n3 pages'
  const other = { hint: 'b.pdf', text: 'Net income 81,234' }
  const classesOf = (values: Readonly<Record<string, string>>) =>
    classes({
      evidence: evidenceOfTable(table, hints),
      documents: [{ hint: 'a.pdf', text }, other],
      items: Object.entries(values).map(([column, predicted]) => cell(0, { column, gold: '', predicted })),
    })

  it.each([
    ['printed', { Revenue: '1250' }, 'gold-blank'],
    ['printed in another unit', { Revenue: '1,250,000' }, 'gold-blank'],
    ['a printed text', { City: 'Zurich' }, 'gold-blank'],
    ['short, on the line of the row', { Revenue: '7' }, 'gold-blank'],
    ['short, on a line without a word of its row and column', { Revenue: '3' }, 'invented'],
    ['in no document', { Revenue: '1,251' }, 'invented'],
    ['only in the document of another row', { 'Net Income': '81,234' }, 'invented'],
  ] as const)('is judged by whether the documents contain it: %s', (_, values, expected) => {
    expect(classesOf(values)).toEqual([expected])
  })

  it('is gold-blank when it is calculated from values in the documents, as the answer has them', () => {
    const row = { Revenue: '1,250', 'Net Income': '500' }
    expect(classesOf({ ...row, 'Net Profit Margin': '40' })).toEqual(Array(3).fill('gold-blank'))
    expect(classesOf({ ...row, 'Net Profit Margin': '41' })[2]).toBe('invented')
  })
})

describe('a value that was copied from another source', () => {
  const table = {
    ...gold,
    keyColumns: ['Lender'],
    targetColumns: ['Commitment'],
    numericColumns: ['Commitment'],
    rows: [{ Lender: 'Oak Bank', Commitment: '25,000' }],
  }
  const own = 'Oak Bank 25,000\n\n\n\n\n\n\nFir Bank 31,300'
  const classBy = (predicted: string, others: readonly string[], text = own) =>
    classes({
      evidence: evidenceOfTable(table, hints),
      documents: [{ hint: 'a.pdf', text }],
      views: view({ lostAt: 'not-in-view', shown: [text] }),
      allShown: () => [text, ...others],
      items: [cell(0, { column: 'Commitment', gold: '25,000', predicted })],
    })[0]

  it.each([
    ['a twin with another figure', '26,500', ['Oak Bank 26,500'], 'look-alike'],
    ['a page that names the row elsewhere', '26,500', ['Oak Bank\n\n\n\n\n\n\n26,500'], 'look-alike'],
    [
      'a twin in which another row of the document has the value',
      '31,300',
      ['Oak Bank 31,300'],
      'look-alike',
    ],
    ['a twin that is the same otherwise', '26,500', [own.replace('25,000', '26,500')], 'look-alike'],
    ['a result with the whole document', '26,500', [`26,500\n${own}`], 'wrong'],
    ['a page that does not name the row', '26,500', ['Elm Bank 26,500'], 'wrong'],
    ['no source', '26,500', ['Oak Bank 26,501'], 'wrong'],
    ['the row of the document', '31,300', ['Oak Bank\n\n\n\n\n\n\nFir Bank 31,300'], 'wrong'],
    ['a short number', '26', ['Oak Bank 26'], 'wrong'],
  ] as const)('is judged by what the other texts contain: %s', (_, predicted, others, expected) => {
    expect(classBy(predicted, others)).toBe(expected)
  })

  it('is look-alike also when the document of the row was never opened', () => {
    expect(
      classes({
        evidence: evidenceOfTable(table, hints),
        views: view({}),
        documents: [{ hint: 'a.pdf', text: own }],
        allShown: () => ['Oak Bank 26,500'],
        items: [cell(0, { column: 'Commitment', gold: '25,000', predicted: '26,500' })],
      }),
    ).toEqual(['look-alike'])
  })

  it('needs the name of the document, or another value of the row, when only a document names the row', () => {
    const wide = {
      ...gold,
      targetColumns: ['Revenue', 'City'],
      rows: [{ Filename: 'acme_10q.pdf', Revenue: '1,111', City: 'Zurich' }],
    }
    const classIn = (text: string) =>
      classes({
        evidence: evidenceOfTable(wide, ['acme_10q.pdf']),
        documents: [{ hint: 'acme_10q.pdf', text: 'Acme of Zurich: revenue 1,111' }],
        views: [{ hint: 'acme_10q.pdf', lostAt: 'not-opened', shown: [] }],
        allShown: () => [text],
        items: [cell(0, { predicted: '1,191' }), cell(0, { column: 'City', gold: 'Zurich', score: 1 })],
      })[0]
    expect([classIn('Acme: revenue 1,191'), classIn('a firm in Zurich: 1,191')]).toEqual([
      'look-alike',
      'look-alike',
    ])
    expect(classIn('Emca: revenue 1,191')).toBe('not-opened')
  })
})

describe('an item that is right', () => {
  it('is unseen when the attempt was shown no text at all, also when its evidence was not found', () => {
    const items = [cell(0, { score: 1 }), cell(1, { score: 1 }), cell(0, { score: 1, gold: '' })]
    const common = {
      items,
      evidence: evidenceOfTable(gold, hints),
      documents: [documents[0]!, { hint: 'b.pdf', text: 'nothing' }],
      views: hints.map(hint => ({ hint, lostAt: 'not-surfaced' as const, shown: [] })),
      answer: answerOf('Filename,Revenue\n'),
      cause: 'agent',
      indexes: createTextIndexes(),
    }
    const marks = classifyItems({ ...common, allShown: () => [] }).map(one => one.isUnseen)
    expect(marks).toEqual([true, true, false])
  })
})
