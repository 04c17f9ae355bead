import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readWorkbook } from '../../../retrieval/office/xlsx.ts'
import { writeZip } from '../../../src/system/zip-writer.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import type { SpreadsheetMapping } from '../../../tasks/spreadsheet/mapping.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-sheet-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function load(content: string | Uint8Array, spreadsheet: SpreadsheetMapping | null) {
  const path = join(folder, 'hotels.csv')
  await writeFile(path, content)
  return await loadBenchmark('spreadsheet', path, { spreadsheet, readWorkbook })
}

const failureOf = (content: string, mapping: SpreadsheetMapping | null) =>
  load(content, mapping).catch((error: unknown) => error)

const csv = 'File,Hotel,Beds,Full,Town\nalder.txt,Alder,"1,200",12.5 %,Ulm\nbirch.html,Birch,30,50%,\n'

it('reads a sheet as one task, with defaults for all columns', async () => {
  const { tasks } = await load(csv, { query: 'List the hotels.' })
  expect(tasks).toMatchObject([
    {
      question: {
        taskId: 'hotels',
        benchmark: 'spreadsheet',
        domain: 'general',
        language: 'en',
        query: 'List the hotels.',
        documentNames: ['alder.txt', 'birch.html'],
      },
      gold: {
        keyColumns: ['File'],
        targetColumns: ['Hotel', 'Beds', 'Full', 'Town'],
        numericColumns: ['Beds', 'Full'],
        rows: [
          { File: 'alder.txt', Hotel: 'Alder', Beds: '1,200', Full: '12.5', Town: 'Ulm' },
          { File: 'birch.html', Hotel: 'Birch', Beds: '30', Full: '50', Town: null },
        ],
      },
      source: { line: 2 },
    },
  ])
})

it('reads each value of the task column as a task with its own question and documents', async () => {
  const rows = [
    'task;question;Hotel;Beds;docs',
    'a;Wie viele Betten?;Alder;12;"one.pdf; two.pdf"',
    'b;Und hier?;Birch;30;two.pdf',
    'a;;Cedar;7;one.pdf',
  ]
  const { tasks } = await load(`\uFEFF${rows.join('\r\n')}\r\n`, {
    taskColumn: 'task',
    queryColumn: 'question',
    documentColumn: 'docs',
    keyColumns: ['Hotel'],
    targetColumns: ['Beds'],
    language: 'de',
    domain: 'Travel',
  })
  const shown = tasks.map(({ question, gold }) => [
    question.taskId,
    question.query,
    question.documentNames,
    gold.kind === 'table' && gold.rows.length,
  ])
  expect(shown).toEqual([
    ['a', 'Wie viele Betten?', ['one.pdf', 'two.pdf'], 2],
    ['b', 'Und hier?', ['two.pdf'], 1],
  ])
  expect(tasks[0]?.question).toMatchObject({ language: 'de', domain: 'travel' })
})

it('recognises a workbook by its content and reports the row numbers that a person sees', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = `<worksheet><sheetData><row r="1">${cell('A1', 'Hotel')}${cell('B1', 'Beds')}</row><row r="4">${cell('A4', 'Alder')}<c r="B4"><v>12</v></c></row></sheetData></worksheet>`
  const workbook = writeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Gold" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  })
  const mapping = { query: 'q', documents: ['guide.pdf'] }
  const { tasks } = await load(workbook, mapping)
  expect(tasks).toMatchObject([
    {
      gold: { keyColumns: ['Hotel'], numericColumns: ['Beds'], rows: [{ Hotel: 'Alder', Beds: '12' }] },
      source: { line: 4 },
    },
  ])
  await expect(load(workbook, { ...mapping, sheet: 'Golb' })).rejects.toMatchObject({
    code: 'no-such-sheet',
    message: expect.stringContaining("did you mean 'Gold'?"),
  })
})

it('suggests a mapping when parts are missing, and the nearest name for an unknown column', async () => {
  expect(await failureOf(csv, null)).toMatchObject({
    code: 'spreadsheet-mapping',
    message: expect.stringMatching(/lacks query .*\n {2}spreadsheet: \{.*"documentColumn":"File"/),
  })
  expect(await failureOf('Hotel,Beds\nAlder,12\n', { query: 'q' })).toMatchObject({
    code: 'spreadsheet-mapping',
    message: expect.stringMatching(/lacks documentColumn or documents/),
  })
  expect(await failureOf(csv, { query: 'q', keyColumns: ['Hotle'] })).toMatchObject({
    code: 'spreadsheet-mapping',
    message: expect.stringContaining("no column 'Hotle': did you mean 'Hotel'?"),
  })
})

it.each([
  [
    'a row with more cells than the header',
    'File,Beds\na.txt,1,200\n',
    /:2: cell 3 \('200'\) has no column name/,
  ],
  ['two columns with one name', 'File,File\na.txt,1\n', /two columns are named 'File'/],
  ['a header without rows', 'File,Beds\n', /a header without rows/],
  ['an open quote', 'File,Beds\n"a.txt,1\n', /csv:2: not readable as CSV \(a cell begins with a quote that/],
  ['an open quote in the middle', 'File,Beds\n"a\nb",1\n"c,1\nd,2\n', /csv:4: .* is not closed/],
  ['an open quote below sep=', 'sep=;\nFile;Beds\n"c;1\nd;2\n', /csv:3: .* is not closed/],
  ['text after a quoted cell', 'File,Beds\n"a" b,1\n', /csv:2: .*text follows the closing quote/],
  ['a quote inside a cell', 'File,Beds\na.txt,1\nb"c,2\n', /csv:3: .*a quote is inside a cell/],
])('names the place of %s', async (_about, content, message) => {
  expect(await failureOf(content, { query: 'q' })).toMatchObject({
    code: 'unreadable-spreadsheet',
    message: expect.stringMatching(message),
  })
})

const rates = (rows: readonly string[], more: Partial<SpreadsheetMapping> = {}) =>
  load(rows.join('\n'), {
    ...{ query: 'List the hotels.', documentColumn: 'File', keyColumns: ['Hotel'] },
    ...more,
  }).then(({ tasks: [task] }) => {
    const gold = task!.gold as Extract<NonNullable<typeof task>['gold'], { kind: 'table' }>
    return { numeric: gold.numericColumns, rates: gold.rows.map(row => row.Rate) }
  })

it.each([
  ['decimals of one digit', ['File;Hotel;Rate', 'a.txt;A;3,5', 'b.txt;B;2,75'], ['3.5', '2.75']],
  [
    'points between thousands',
    ['File;Hotel;Rate', 'a.txt;A;1.234,50', 'b.txt;B;-2.750,00'],
    ['1234.50', '-2750.00'],
  ],
  ['spaces between thousands', ['File;Hotel;Rate', 'a.txt;A;1 234,5', 'b.txt;B;7'], ['1234.5', '7']],
  ['one number that decides', ['File;Hotel;Rate', 'a.txt;A;3,125', 'b.txt;B;0,750'], ['3.125', '0.750']],
  [
    'another column that decides',
    ['File;Hotel;Rate;Tax', 'a.txt;A;3,125;7,5', 'b.txt;B;2,750;19'],
    ['3.125', '2.750'],
  ],
  ['percentages', ['File;Hotel;Rate', 'a.txt;A;12,5 %', 'b.txt;B;7 %'], ['12.5', '7']],
  ['tabs', ['File\tHotel\tRate', 'a.txt\tA\t3,5', 'b.txt\tB\t2'], ['3.5', '2']],
  ['commas with thousands', ['File,Hotel,Rate', 'a.txt,A,"3,125"', 'b.txt,B,"2,750"'], ['3,125', '2,750']],
  ['semicolons with decimal points', ['File;Hotel;Rate', 'a.txt;A;3.5', 'b.txt;B;1,250'], ['3.5', '1,250']],
  ['a line that names the separator', ['sep=;', 'File;Hotel;Rate', 'a.txt;A;3,5', 'b.txt;B;2'], ['3.5', '2']],
  ['any separator', ['sep=|', 'File|Hotel|Rate', 'a.txt|A|3', 'b.txt|B|2'], ['3', '2']],
])('reads the numbers of a sheet by its own evidence: %s', async (_, rows, expected) => {
  expect(await rates(rows)).toEqual({ numeric: expect.arrayContaining(['Rate']), rates: expected })
})

it.each([
  ['currencies', ['File;Hotel;Rate', 'a.txt;A;1.250 €', 'b.txt;B;3,50 €'], ['1250 €', '3.50 €']],
  ['weights', ['File;Hotel;Rate', 'a.txt;A;1,25 kg', 'b.txt;B;3,125 kg'], ['1.25 kg', '3.125 kg']],
  ['signs before', ['File;Hotel;Rate', 'a.txt;A;CHF 3,125', 'b.txt;B;CHF 0,5'], ['CHF 3.125', 'CHF 0.5']],
])('reads the amounts of a sheet by its own evidence: %s', async (_, rows, expected) => {
  expect((await rates(rows)).rates).toEqual(expected)
})

it.each([
  ['amounts', ['File;Hotel;Rate', 'a.txt;A;3.125 €', 'b.txt;B;2.750 €'], "'3.125 €' in column 'Rate'"],
  [
    'only groups of three digits',
    ['File;Hotel;Rate', 'a.txt;A;3,125', 'b.txt;B;2,750'],
    "'3,125' in column 'Rate'",
  ],
  ['points before three digits', ['File;Hotel;Rate', 'a.txt;A;3.125'], "'3.125' in column 'Rate'"],
  ['both signs in one column', ['File;Hotel;Rate', 'a.txt;A;3,5', 'b.txt;B;2.5'], 'a decimal comma and with'],
])('asks for the decimal sign when nothing decides: %s', async (_, rows, text) => {
  const error = await rates(rows).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'undecided-decimal', message: expect.stringContaining(text) })
  expect(String(error)).toContain('Set spreadsheet.decimal to')
})

it('reads undecided numbers as the option decimal says', async () => {
  const rows = ['File;Hotel;Rate', 'a.txt;A;3,125', 'b.txt;B;2,750']
  expect((await rates(rows, { decimal: ',' })).rates).toEqual(['3.125', '2.750'])
  expect((await rates(rows, { decimal: '.' })).rates).toEqual(['3,125', '2,750'])
})

it('counts the line with the separator in the places of errors', async () => {
  expect(
    String(await failureOf('sep=;\nFile;Hotel\na.txt;A;x\n', { query: 'q', documentColumn: 'File' })),
  ).toContain('hotels.csv:3')
})

it('warns of hidden rows of gold', async () => {
  const row = (at: number, name: string, hidden = '') =>
    `<row r="${at}"${hidden}><c r="A${at}" t="inlineStr"><is><t>${name}</t></is></c><c r="B${at}" t="inlineStr"><is><t>${at}</t></is></c></row>`
  const workbook = writeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Gold" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row(1, 'Hotel')}${row(2, 'Alder')}${row(3, 'Birch', ' hidden="1"')}</sheetData></worksheet>`,
  })
  const { problems } = await load(workbook, { query: 'q', documents: ['guide.pdf'] })
  expect(problems).toMatchObject([
    { severity: 'warning', code: 'hidden-gold', line: 3, message: expect.stringContaining('hides row 3') },
  ])
})

it.each([
  ['one column', [1], "column 'Beds'"],
  ['two columns', [0, 2], "columns 'Hotel', 'Town of the hotel'"],
  ['a column without a header beside one with it', [2, 3], "column 'Town of the hotel'"],
])('names %s of gold that the sheet hides by the header', async (_, hidden, text) => {
  const row = (at: number, values: readonly string[]) =>
    `<row r="${at}">${values.map((value, column) => `<c r="${'ABCD'[column]}${at}" t="inlineStr"><is><t>${value}</t></is></c>`).join('')}</row>`
  const columns = hidden.map(at => `<col min="${at + 1}" max="${at + 1}" hidden="1"/>`).join('')
  const workbook = writeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Gold" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><cols>${columns}</cols><sheetData>${row(2, ['Hotel', 'Beds', 'Town of the hotel'])}${row(3, ['Alder', '12', 'Ulm'])}</sheetData></worksheet>`,
  })
  const { problems } = await load(workbook, { query: 'q', documents: ['guide.pdf'] })
  expect(problems).toMatchObject([
    { code: 'hidden-gold', message: expect.stringContaining(`hides ${text},`) },
  ])
})

it('does not take columns of codes for numbers', async () => {
  const lines = [
    'File,Name,Beds,Postcode,Version,Batch',
    'a.txt,Alder,12,1234,3.10,007',
    'b.txt,Birch,30,5678,3.2,012',
  ]
  const { tasks } = await load(lines.join('\n'), { query: 'q', documentColumn: 'File', keyColumns: ['Name'] })
  expect(tasks).toMatchObject([{ gold: { numericColumns: ['Beds'] } }])
})
