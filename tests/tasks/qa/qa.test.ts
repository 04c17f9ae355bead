import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWorkbook } from '../../../retrieval/office/xlsx.ts'
import type { TextGold } from '../../../src/core/gold.ts'
import { rulesJudge } from '../../../src/score/contract/judge.ts'
import { readBenchmark } from '../../../tasks/load-benchmark.ts'
import { qaColumns } from '../../../tasks/qa/columns.ts'
import { qaMetric } from '../../../tasks/qa/metric.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-qa-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function load(content: string | Uint8Array) {
  const path = join(folder, 'quiz.csv')
  await writeFile(path, content)
  return await readBenchmark('qa', path, { spreadsheet: null, readWorkbook })
}

describe('the benchmark qa', () => {
  it('reads a question per row, with documents and several accepted answers', async () => {
    const { tasks, problems } = await load(
      'question,answer,documents\nHow many beds?,12|twelve,alder.txt;birch.html\n"Which\ntown?","[""Ulm|Donau""]",\n',
    )
    expect(problems).toEqual([])
    expect(tasks).toMatchObject([
      {
        question: {
          taskId: 'quiz-1',
          benchmark: 'qa',
          domain: 'general',
          language: 'en',
          query: 'How many beds?',
        },
        gold: { kind: 'text', references: ['12', 'twelve'] },
        evidence: { kind: 'documents', names: ['alder.txt', 'birch.html'] },
      },
      {
        question: { query: 'Which\ntown?' },
        gold: { references: ['Ulm|Donau'] },
        documents: [],
        evidence: null,
      },
    ])
  })

  it('warns of hidden questions and hidden sheets of a workbook', async () => {
    const book = utils.book_new()
    const sheet = utils.aoa_to_sheet([
      ['question', 'answer'],
      ['How many beds?', 12],
      ['Which town?', 'Ulm'],
    ])
    utils.book_append_sheet(book, { ...sheet, '!rows': [{}, {}, { hidden: true }] }, 'Quiz')
    utils.book_append_sheet(book, utils.aoa_to_sheet([['question'], ['Who?']]), 'Old')
    book.Workbook = { Sheets: [{ name: 'Quiz' }, { name: 'Old', Hidden: 1 }] }
    const { tasks, problems } = await load(write(book, { type: 'buffer', bookType: 'xlsx' }))
    expect(tasks).toHaveLength(2)
    expect(problems).toMatchObject([
      { code: 'unread-sheet', message: expect.stringContaining("not 'Old' (hidden)") },
      { code: 'hidden-gold', line: 3, message: expect.stringContaining("sheet 'Quiz' hides row 3") },
    ])
  })

  it('warns when a name without an ending would be the text of a document', async () => {
    const { tasks, problems } = await load(
      `question,answer,documents\nA?,1,annual report\nB?,2,budget 2020\nC?,3,b.txt\nD?,4,${'word '.repeat(30)}\n`,
    )
    expect(tasks.map(({ documents }) => documents.map(({ name }) => name))).toEqual([
      ...[['quiz-1.txt'], ['quiz-2.txt'], ['b.txt'], ['quiz-4.txt']],
    ])
    expect(problems).toMatchObject([
      {
        ...{ code: 'short-document', severity: 'warning', line: 2 },
        message: expect.stringMatching(
          /^column 'documents' names no file in 2 of 4 rows, .*endings, such as/,
        ),
      },
    ])
  })

  it.each(Object.entries(qaColumns).flatMap(([field, names]) => names.map(name => [field, name] as const)))(
    'takes the %s from the column %s',
    async (field, name) => {
      const fields = {
        question: 'Q?',
        answer: 'A',
        documents: 'a.txt',
        id: 'x',
        domain: 'travel',
        language: 'de',
      }
      const header = Object.keys(fields).map(key =>
        key === field ? name.toUpperCase().replace('_', ' ') : key,
      )
      const { tasks, problems } = await load(
        `\uFEFF${header.join(';')}\r\n${Object.values(fields).join(';')}\r\n`,
      )
      expect(problems).toEqual([])
      expect(tasks).toMatchObject([
        {
          question: { taskId: 'x', query: 'Q?', domain: 'travel', language: 'de', documentNames: ['a.txt'] },
          gold: { references: ['A'] },
        },
      ])
    },
  )

  it('takes a context that is no list of file names as the text of a document', async () => {
    const { tasks } = await load('id,question,answer,context\nx,Q?,12,"The house has 12 beds; it is old."\n')
    expect(tasks[0]!.question.documentNames).toEqual(['x.txt'])
    expect(await tasks[0]!.documents[0]!.load!()).toEqual({
      kind: 'text',
      text: 'The house has 12 beds; it is old.',
    })
  })

  it('leaves out rows without a question or an answer, and warns of repeated questions', async () => {
    const { tasks, problems } = await load('question,answer\nA?,\n,b\nC?,c\nc?,d\n')
    expect(tasks.map(({ gold }) => (gold as TextGold).references)).toEqual([['c'], ['d']])
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['empty-gold', 2],
      ['invalid-record', 3],
      ['duplicate-question', 5],
    ])
  })

  it('says which columns are not read, and what they may be', async () => {
    const { problems } = await load('question,answer,documnts,notes\nA?,a,a.txt,x\n')
    expect(problems).toMatchObject([
      {
        code: 'unknown-field',
        message: expect.stringMatching(/'documnts' \(did you mean 'documents'\?\), 'notes' are not read/),
      },
    ])
  })

  it.each([
    ['no answer', 'question,response\nA?,a\n', /no column for the answer \(columns: question, response\)/],
    ['no question', 'answer,text\na,A?\n', /no column for the question/],
    [
      'two answers',
      'question,answer,ground_truth\nA?,a,b\n',
      /'answer' and 'ground_truth' can both be the answer/,
    ],
  ])('refuses a file with %s', async (_name, csv, message) => {
    await expect(load(csv)).rejects.toMatchObject({
      code: 'qa-columns',
      message: expect.stringMatching(message),
    })
  })
})

describe('the scorer qa', () => {
  const score = async (reference: string, prediction: string) =>
    await qaMetric.score({ reference, prediction, question: '', judge: rulesJudge })

  it.each([
    ['Paris', 'paris.'],
    ['1,200', '1200'],
    ['EUR 14,200', '€14.2k'],
    ['2024-05-02', '2 May 2024'],
    ['The Beatles', 'Beatles'],
    ['12 beds', '12 Beds'],
    ['柏林', '柏林。'],
    ['12', '12 [1]'],
    ['Graz', 'Graz (source: birch.txt)'],
  ])('gives %s for %s all points', async (reference, prediction) => {
    expect(await score(reference, prediction)).toMatchObject({ value: 1, parts: { f1: 1 } })
  })

  it.each([
    ['Paris', 'The capital is Paris', 0.5],
    ['12', '13', 0],
    ['12 EUR', '12 USD', 0.5],
    ['Ulm, Graz', 'Ulm', 2 / 3],
  ])('gives %s for %s no point, and F1 of the words', async (reference, prediction, f1) => {
    const { value, parts } = await score(reference, prediction)
    expect(value).toBe(0)
    expect(parts.f1).toBeCloseTo(f1, 10)
  })
})
