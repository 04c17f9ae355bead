import { expect, it } from 'vitest'
import { readWorkbook } from '../../retrieval/office/xlsx.ts'
import { readDocument } from '../../retrieval/read-document.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

interface Parts {
  readonly rows: string
  readonly before?: string
  readonly after?: string
  readonly comments?: string
  readonly threads?: string
}

const styles =
  '<styleSheet><numFmts><numFmt numFmtId="170" formatCode=";;;"/><numFmt numFmtId="171" formatCode="0;;;@"/></numFmts><fonts><font/><font><strike/></font><font><vertAlign val="superscript"/></font></fonts><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'

function book({ rows, before = '', after = '', comments, threads }: Parts): Buffer {
  return writeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Type="x/worksheet" Target="s.xml"/></Relationships>',
    'xl/styles.xml': styles,
    'xl/s.xml': `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    'xl/_rels/s.xml.rels':
      '<Relationships><Relationship Id="a" Type="x/comments" Target="c.xml"/><Relationship Id="b" Type="x/threadedComment" Target="t.xml"/></Relationships>',
    ...(comments === undefined
      ? {}
      : { 'xl/c.xml': `<comments><commentList>${comments}</commentList></comments>` }),
    ...(threads === undefined ? {} : { 'xl/t.xml': `<ThreadedComments>${threads}</ThreadedComments>` }),
  })
}

const run = (text: string, look = ''): string =>
  `<r>${look === '' ? '' : `<rPr>${look}</rPr>`}<t xml:space="preserve">${text}</t></r>`
const rich = (name: string, ...runs: readonly string[]): string =>
  `<c r="${name}" t="inlineStr"><is>${runs.join('')}</is></c>`
const raised = '<vertAlign val="superscript"/>'
const lowered = '<vertAlign val="subscript"/>'
const struck = '<strike/>'

async function textOf(parts: Parts): Promise<string[]> {
  const { pages } = await readDocument({ format: 'xlsx', bytes: book(parts) })
  return pages[0]!.text.split('\n').slice(1)
}
const goldOf = (parts: Parts) => readWorkbook(book(parts))[0]!

it.each([
  ['a raised figure', [run('12'), run('3', raised)], '12³', '12³'],
  ['a raised letter', [run('12'), run('a', raised)], '12^a', '12^a'],
  ['a lowered figure', [run('10'), run('2', lowered)], '10₂', '10₂'],
  ['a struck figure before', [run('199', struck), run('149')], '~~199~~149', '149'],
  [
    'a struck figure in two runs',
    [run('1', struck), run('99', `<b/>${struck}`), run('149')],
    '~~199~~149',
    '149',
  ],
  ['a struck figure after', [run('149 '), run('199 ', struck)], '149 ~~199~~', '149'],
  ['a struck figure between', [run('1'), run('9', struck), run('5')], '1~~9~~5', '1 5'],
  ['a struck and raised figure', [run('149'), run('2', struck + raised)], '149~~²~~', '149'],
  ['no strike', [run('199', '<strike val="0"/>'), run(' EUR')], '199 EUR', '199 EUR'],
])('reads rich text with %s', async (_, runs, text, gold) => {
  const rows = `<row r="1">${rich('A1', ...runs)}</row>`
  expect(await textOf({ rows })).toEqual([text])
  expect(goldOf({ rows }).rows[0]!.cells).toEqual([gold])
})

it('marks a cell that its style strikes or raises, and refuses struck gold', async () => {
  const rows =
    '<row r="1"><c r="A1" s="1"><v>14</v></c><c r="B1" s="2"><v>3</v></c><c r="C1"><v>5</v></c></row>'
  expect(await textOf({ rows })).toEqual(['~~14~~\t³\t5'])
  expect(goldOf({ rows }).faults).toEqual([{ what: 'nothing but struck text', cells: ['A1'], count: 1 }])
})

const number = (name: string, value: number, style = 0): string =>
  `<c r="${name}" s="${style}"><v>${value}</v></c>`

it('puts hidden rows, columns and values under a heading', async () => {
  const rows = `<row r="1">${rich('A1', run('Hotel'))}${rich('B1', run('Code'))}${rich('C1', run('Beds'))}</row><row r="2">${rich('A2', run('Alder'))}${number('B2', 7)}${number('C2', 12, 3)}</row><row r="3" hidden="1">${rich('A3', run('Birch'))}${number('B3', 8)}${number('C3', 30)}</row><row r="4">${rich('A4', run('Cedar'))}${number('C4', 0, 4)}</row>`
  const parts = { rows, before: '<cols><col min="2" max="2" hidden="1"/></cols>' }
  expect(await textOf(parts)).toEqual([
    ...['Hotel\tBeds', 'Alder', 'Cedar\t0', '', '## Not visible in the sheet'],
    ...['Hotel\tCode', 'Alder\t7', 'Hotel\tCode\tBeds', 'Birch\t8\t30', 'C2: 12'],
  ])
  const { notices } = await readDocument({ format: 'xlsx', bytes: book(parts) })
  expect(notices).toEqual(["sheet 'S' hides row 3; column B; cell C2"])
})

it('reads comments of cells, and a thread once', async () => {
  const rows = `<row r="1">${number('A1', 1)}</row>`
  const comments = `<comment ref="A1"><text>${run('restated:')}${run(' 99')}</text></comment><comment ref="B2"><text><t>[Threaded comment] x</t></text></comment>`
  const threads =
    '<threadedComment ref="B2"><text>why?</text></threadedComment><threadedComment ref="B2"><text>so</text></threadedComment>'
  expect(await textOf({ rows, comments })).toEqual([
    '1',
    '',
    '## Comments',
    'A1: restated: 99',
    'B2: [Threaded comment] x',
  ])
  expect((await textOf({ rows, comments, threads })).slice(3)).toEqual([
    'A1: restated: 99',
    'B2: why?',
    'B2: so',
  ])
})

it('repeats merged cells over rows and columns, but not a title', () => {
  const rows = `<row r="1">${rich('A1', run('Title'))}</row><row r="2">${number('A2', 1)}${number('B2', 5)}${number('C2', 3)}</row><row r="3">${number('A3', 2)}</row><row r="4">${number('A4', 4)}${number('B4', 6)}</row>`
  const after =
    '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="B2:B3"/><mergeCell ref="B4:C4"/></mergeCells>'
  expect(goldOf({ rows, after }).rows.map(({ cells }) => cells.join())).toEqual([
    'Title',
    '1,5,3',
    '2,5',
    '4,6,6',
  ])
})

it.each([
  ['figures', '10&#10;20', '10 / 20'],
  ['a figure and words', '10&#10;beds', '10 beds'],
  ['three figures', '1&#10;2&#10; 3', '1 / 2 / 3'],
  ['spaces', '10 20', '10 20'],
])('keeps the lines of a cell apart: %s', async (_what, text, written) => {
  const cell = `<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`
  expect(await textOf({ rows: `<row r="1">${cell}</row>` })).toEqual([written])
})
