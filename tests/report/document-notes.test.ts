import { describe, expect, it } from 'vitest'
import type { Context } from '../../src/core/attempt.ts'
import { listDocumentNotes } from '../../src/report/model/record-notes.ts'
import { listUsageNotes } from '../../src/report/model/report-notes.ts'
import { formatEnds, formatUnscored } from '../../src/report/short/outcome-lines.ts'
import { makeArmNaming } from '../../src/report/tables/fit-names.ts'
import { makeAttempt } from './records.ts'

type Document = Partial<Context['documents'][number]> & { readonly hint: string }

const attempt = (documents: readonly Document[], cutStrategy: string | null = null) => ({
  context: {
    documents: documents.map(document => ({ chars: 100, charsInPrompt: 100, problem: null, ...document })),
    cutStrategy,
  },
})

describe('the note on usage', () => {
  const spent = (at: number, inputTokens: number | null, usd: number | null, model = 'openai:a') => {
    const made = makeAttempt({ task: `t${at}`, setting: 'offline' })
    return { ...made, model, usage: { ...made.usage, inputTokens, outputTokens: inputTokens, usd } }
  }

  it('is absent when everything is known, or nothing of an arm', () => {
    expect(listUsageNotes([spent(0, 10, 0.1), spent(1, 0, 0), spent(2, 10, null, 'openai:b')])).toEqual([])
    expect(listUsageNotes([spent(0, null, null), spent(1, 0, 0)])).toEqual([])
  })

  it.each([
    ['tokens', [spent(0, null, null), spent(1, 10, 0.1), spent(2, null, null)], '2 of 3'],
    ['the cost', [spent(0, 10, null), spent(1, 10, 0.1), spent(2, 10, 0.2)], '1 of 3'],
    ['tokens without a price', [spent(0, 10, null), spent(1, null, null)], '1 of 2'],
  ])('says for how many attempts of an arm %s are unknown', (_, attempts, share) => {
    const [note, ...others] = listUsageNotes([...attempts, spent(9, 10, 0.1, 'openai:b')])
    expect(others).toEqual([])
    expect(note).toContain(`unknown in ${share} attempts of offline · openai:a. Tokens and US$ per attempt`)
  })
})

describe('the note on documents', () => {
  it('is absent when all documents are whole', () => {
    expect(listDocumentNotes([])).toEqual([])
    expect(listDocumentNotes([{ context: null }, attempt([{ hint: 'a.txt' }])])).toEqual([])
  })

  it.each([
    ['a notice', { notices: ['Sheet 1!B2: a formula without a stored value'] }],
    ['a page that could not be read', { problem: 'ocr-failed: page 2' }],
  ])('counts attempts with %s once, and names the document', (_, fault) => {
    const [note, ...others] = listDocumentNotes([
      attempt([{ hint: 'a.xlsx', ...fault }, { hint: 'b.txt' }]),
      attempt([{ hint: 'a.xlsx', ...fault }]),
    ])
    expect(others).toEqual([])
    expect(note).toContain('2 attempts (a.xlsx)')
    expect(note).toContain('The page of each attempt')
  })

  it('counts documents that were cut, and not those that a retriever shows in part', () => {
    const part = { hint: 'long.pdf', charsInPrompt: 40 }
    expect(listDocumentNotes([attempt([part], 'even')])[0]).toContain(
      'cut to fit the context window in 1 attempt (long.pdf)',
    )
    expect(listDocumentNotes([attempt([part], null)])).toEqual([])
  })

  it('counts attempts whose tools opened a document that was read in part', () => {
    const url = 'https://reports.example/a.pdf'
    const online = { context: null, openedInPart: [{ url, notices: ['2 pages without text'] }] }
    expect(listDocumentNotes([online, online, { context: null }])[0]).toContain(`2 attempts (${url})`)
  })

  it('leaves missing and misnamed documents to others', () => {
    const missing = { hint: 'a.pdf', chars: 0, charsInPrompt: 0, problem: 'missing: no such file' }
    const misnamed = { hint: 'b.pdf', problem: 'misnamed: it is text' }
    expect(listDocumentNotes([attempt([missing, misnamed])])).toEqual([])
  })
})

it('says of a run without attempts that nothing is scored', () => {
  const text = formatUnscored([], [], { metric: null, naming: makeArmNaming([]) })
  expect(text).toBe('Nothing is scored: no attempt was made')
  expect(formatEnds({ ends: [], terminations: [] })).toBe('')
})
