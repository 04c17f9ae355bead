import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWorkbook } from '../../../retrieval/office/xlsx.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import type { SpreadsheetMapping } from '../../../tasks/spreadsheet/mapping.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-sheets-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Sheets = Readonly<Record<string, (string | number | null)[][]>>

async function load(sheets: Sheets, spreadsheet: SpreadsheetMapping | null, hidden: readonly string[] = []) {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  const shows = Object.keys(sheets).map(name => ({ name, Hidden: hidden.includes(name) ? 1 : 0 }) as const)
  book.Workbook = { Sheets: shows }
  const path = join(folder, 'gold.xlsx')
  await writeFile(path, write(book, { type: 'buffer', bookType: 'xlsx' }))
  return await loadBenchmark('spreadsheet', path, { spreadsheet, readWorkbook })
}

const hotels = [
  ['File', 'Hotel', 'Beds'],
  ['alder.txt', 'Alder', 12],
  ['birch.html', 'Birch', 30],
]
const loans = [
  ['Lender', 'Amount', 'Source'],
  ['North Bank', 1_200_000, 'loan.txt'],
]

it('reads each sheet that the mapping names as a task with its own columns', async () => {
  const { tasks, problems } = await load(
    { Hotels: hotels, Loans: loans, Notes: [['free text']] },
    {
      query: 'List the hotels.',
      sheets: { Hotels: {}, Loans: { query: 'List the loans.', keyColumns: ['Lender'], language: 'de' } },
    },
  )
  expect(tasks).toMatchObject([
    {
      question: { taskId: 'Hotels', query: 'List the hotels.', documentNames: ['alder.txt', 'birch.html'] },
      gold: { keyColumns: ['File'], targetColumns: ['Hotel', 'Beds'], numericColumns: ['Beds'] },
    },
    {
      question: { taskId: 'Loans', query: 'List the loans.', language: 'de', documentNames: ['loan.txt'] },
      gold: { keyColumns: ['Lender'], targetColumns: ['Amount'], rows: [{ Amount: '1200000' }] },
    },
  ])
  expect(problems).toEqual([])
})

it('reads all sheets with content when sheets is true', async () => {
  const { tasks } = await load(
    { Hotels: hotels, Loans: loans, Empty: [[]] },
    { sheets: true, query: 'List.' },
  )
  expect(tasks.map(({ question }) => question.taskId)).toEqual(['Hotels', 'Loans'])
})

it('warns that the other sheets of a workbook are not read', async () => {
  const { tasks, problems } = await load({ Hotels: hotels, Loans: loans }, { query: 'List.' })
  expect(tasks.map(({ question }) => question.taskId)).toEqual(['gold'])
  expect(problems).toMatchObject([
    { code: 'unread-sheet', severity: 'warning', message: expect.stringContaining("also contains 'Loans'") },
  ])
  expect((await load({ Hotels: hotels, Loans: loans }, { query: 'q', sheet: 'Hotels' })).problems).toEqual([])
})

it.each<[string, SpreadsheetMapping, string[], string | null]>([
  ['the first sheet', {}, ['gold'], "also contains 'Loans', 'Old' (hidden)"],
  ['all sheets', { sheets: true }, ['Hotels', 'Loans'], "hidden sheets are not read: 'Old'."],
  ['a hidden sheet by its name', { sheet: 'Old' }, ['gold'], null],
  ['hidden and shown sheets', { sheets: { Old: {}, Hotels: {} } }, ['Old', 'Hotels'], null],
])('says that hidden sheets are not read when reading %s', async (_, mapping, taskIds, message) => {
  const sheets = { Old: [...hotels], Hotels: hotels, Loans: loans, Empty: [[]] }
  const { tasks, problems } = await load(sheets, { query: 'List.', ...mapping }, ['Old', 'Empty'])
  expect(tasks.map(({ question }) => question.taskId)).toEqual(taskIds)
  expect(problems).toMatchObject(
    message === null ? [] : [{ code: 'unread-sheet', message: expect.stringContaining(message) }],
  )
})

it('says that the only other sheet is hidden', async () => {
  const { problems } = await load({ Hotels: hotels, Lists: [['a'], ['b']] }, { query: 'q' }, ['Lists'])
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(/^unread-sheet hidden sheets are not read: 'Lists'\./),
  ])
})

it.each<[string, Sheets, SpreadsheetMapping, RegExp]>([
  [
    'a sheet without a question',
    { Hotels: hotels, Loans: loans },
    { sheets: { Hotels: { query: 'q' }, Loans: {} } },
    /lacks query .* for 'Loans'.*\n {2}spreadsheet: \{"sheets":\{"Loans":\{"query"/,
  ],
  [
    'a workbook of several sheets without a mapping, with one for all of them',
    { Hotels: hotels, Loans: loans },
    {},
    /If each is a task.*\n.*"sheets":\{"Hotels":.*"Loans":/,
  ],
  [
    'a sheet that the workbook lacks',
    { Hotels: hotels },
    { query: 'q', sheets: { Hotel: {} } },
    /did you mean 'Hotels'/,
  ],
  [
    'a column that one sheet lacks, with the sheet',
    { Hotels: hotels, Loans: loans },
    { query: 'q', keyColumns: ['Hotel'], sheets: true },
    /sheet 'Loans': spreadsheet.keyColumns: no column 'Hotel'/,
  ],
  [
    'a sheet that is no table among all',
    { Hotels: hotels, Notes: [['note'], ['a', 'b']] },
    { query: 'q', sheets: true },
    /sheet 'Notes':2: .* list the others in spreadsheet.sheets/,
  ],
])('refuses %s', async (_name, sheets, mapping, message) => {
  await expect(load(sheets, mapping)).rejects.toMatchObject({ message: expect.stringMatching(message) })
})

const mixed = [
  ['Task', 'Question', 'Language', 'File', 'Hotel', 'Beds', 'Lender', 'Amount'],
  ['hotels', 'List the hotels.', 'en', 'alder.txt', 'Alder', 12],
  ['hotels', null, 'en', 'birch.html', 'Birch', 30],
  ['loans', 'List the loans.', 'de', 'loan.txt', null, null, 'North Bank', 1_200_000],
]

it('gives each task of a sheet the columns that it has values for, and says so once', async () => {
  const { tasks, problems } = await load({ Gold: mixed }, { taskColumn: 'Task' })
  expect(tasks).toMatchObject([
    { question: { language: 'en', query: 'List the hotels.' }, gold: { targetColumns: ['Hotel', 'Beds'] } },
    { question: { language: 'de', query: 'List the loans.' }, gold: { targetColumns: ['Lender', 'Amount'] } },
  ])
  expect(problems).toMatchObject([
    {
      code: 'mixed-columns',
      message: expect.stringMatching(
        /^sheet 'Gold': .*task 'hotels' has no 'Lender', 'Amount'; task 'loans' has no 'Hotel', 'Beds'.*spreadsheet\.sheets/,
      ),
    },
  ])
})

it('asks about a target that may describe the task, and takes no column of values for a language', async () => {
  const rows = [
    ['Task', 'File', 'Project', 'Language', 'Domain'],
    ['a', 'a.txt', 'One', 'Python', 'web'],
    ['b', 'b.txt', 'Two', 'Rust', 'games'],
  ]
  const { tasks, problems } = await load({ Gold: rows }, { taskColumn: 'Task', query: 'q' })
  expect(tasks).toMatchObject([
    { question: { language: 'en' }, gold: { targetColumns: ['Project', 'Language', 'Domain'] } },
    {},
  ])
  expect(problems).toMatchObject([
    { code: 'mixed-columns', message: expect.stringContaining("must contain 'Language', 'Domain'") },
  ])
  const named = { taskColumn: 'Task', query: 'q', domainColumn: 'Domain', targetColumns: ['Language'] }
  const again = await load({ Gold: rows }, named)
  expect(again.problems).toEqual([])
  expect(again.tasks.map(({ question }) => question.domain)).toEqual(['web', 'games'])
})

it('refuses a task without values in its keys', async () => {
  await expect(load({ Gold: mixed }, { taskColumn: 'Task', keyColumns: ['Hotel'] })).rejects.toMatchObject({
    code: 'spreadsheet-mapping',
    message: expect.stringContaining(
      "task 'loans' has no value in the key columns of sheet 'Gold' ('Hotel')",
    ),
  })
})
