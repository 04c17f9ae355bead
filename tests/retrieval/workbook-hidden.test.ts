import { CFB, utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { readWorkbook } from '../../retrieval/office/xlsx.ts'
import { readDocument } from '../../retrieval/read-document.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

const cells = [
  ['Hotel', 'Code', 'Beds', 'Town'],
  ['Alder', 7, 12, 'Ulm'],
  ['', 8, 30, 'Graz'],
  ['Birch', 9, 5, 'Linz'],
]

/** A row of Excel's binary form that is hidden ([MS-XLS] 2.4.221). */
function hiddenRow(row: number): Buffer {
  const record = Buffer.alloc(20)
  record.writeUInt16LE(0x0208, 0)
  record.writeUInt16LE(16, 2)
  record.writeUInt16LE(row, 4)
  record.writeUInt16LE(4, 8)
  record.writeUInt8(0x20, 16)
  return record
}

function olderWorkbook(format: 'biff8' | 'xlsb' | 'xlsx'): Buffer {
  const sheet = utils.aoa_to_sheet(cells)
  sheet['!cols'] = [{}, { hidden: true }, {}, {}]
  sheet['!rows'] = [{}, {}, {}, { hidden: true }]
  sheet['!merges'] = [utils.decode_range('A2:A3')]
  sheet.C2.c = [{ a: 'someone', t: 'checked\nby hand' }]
  sheet.D3.z = ';;;'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'S')
  const bytes = write(book, { type: 'buffer', bookType: format }) as Buffer
  if (format !== 'biff8') return bytes
  // The library can read hidden rows of this format, but cannot write them.
  const file = CFB.read(bytes, { type: 'buffer' })
  const stream = CFB.find(file, 'Workbook')!
  const content = Buffer.from(stream.content as Uint8Array)
  let at = content.indexOf(Buffer.from([0x09, 0x08]), 4)
  while (content.readUInt16LE(at) !== 0x0200) at += 4 + content.readUInt16LE(at + 2)
  stream.content = Buffer.concat([content.subarray(0, at), hiddenRow(3), content.subarray(at)])
  stream.size = stream.content.length
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

function openDocumentSheet(): Buffer {
  const text = (value: string | number) =>
    typeof value === 'number'
      ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
  const rows = cells.map(row => row.map(text))
  rows[1]![0] =
    '<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>Alder</text:p></table:table-cell>'
  rows[2]![0] = '<table:covered-table-cell/>'
  rows[1]![2] = rows[1]![2]!.replace(
    '<text:p>',
    '<office:annotation><dc:creator>someone</dc:creator><text:p>checked</text:p><text:p>by hand</text:p></office:annotation><text:p>',
  )
  const columns =
    '<table:table-column/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group><table:table-column table:number-columns-repeated="16382"/>'
  const lines = rows.map(
    (row, at) =>
      `<table:table-row${at === 3 ? ' table:visibility="filter"' : ''}>${row.join('')}</table:table-row>`,
  )
  const namespaces = ['office', 'table', 'text'].map(
    name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  return writeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${namespaces.join(' ')} xmlns:dc="d"><office:body><office:spreadsheet><table:table table:name="S">${columns}${lines.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
}

const read = async (format: 'ods' | 'xls' | 'xlsx', bytes: Buffer) => {
  const { pages, notices } = await readDocument({ format: format === 'ods' ? 'odt' : format, bytes })
  return { lines: pages[0]!.text.split('\n'), notices }
}

const shown = ['# S', 'Hotel\tBeds\tTown', 'Alder\t12\tUlm']
const notShown = [
  '',
  '## Not visible in the sheet',
  'Hotel\tCode',
  'Alder\t7',
  'Alder\t8',
  'Hotel\tCode\tBeds\tTown',
  'Birch\t9\t5\tLinz',
]
const comments = ['', '## Comments', 'C2: checked by hand']

it.each([
  ['xlsx', 'xlsx', 'xlsx'],
  ['xls', 'xls', 'biff8'],
  ['xlsb', 'xls', 'xlsb'],
] as const)(
  'reads hidden parts, merged cells and comments of .%s by the same rules',
  async (_, format, form) => {
    const { lines, notices } = await read(format, olderWorkbook(form))
    expect(lines).toEqual([...shown, 'Alder\t30', ...notShown, 'D3: Graz', ...comments])
    expect(notices).toEqual(["sheet 'S' hides row 4; column B; cell D3"])
  },
)

it('reads hidden parts, merged cells and comments of .ods by the same rules', async () => {
  const { lines, notices } = await read('ods', openDocumentSheet())
  expect(lines).toEqual([...shown, 'Alder\t30\tGraz', ...notShown, ...comments])
  expect(notices).toEqual(["sheet 'S' hides row 4; column B"])
})

describe('hidden sheets', () => {
  const sheetsOf = { Shown: [['A', 1]], Lookup: [['B', 2]], Blank: [], Last: [['C', 3]] }
  const hiddenNames = ['Lookup', 'Blank']
  const texts = ['# Shown\nA\t1', '# Last\nC\t3', '# Not visible in the workbook: Lookup\nB\t2']

  function workbook(bookType: 'biff8' | 'xlsb' | 'xlsx', state: 1 | 2): Buffer {
    const book = utils.book_new()
    for (const [name, rows] of Object.entries(sheetsOf))
      utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
    for (const name of hiddenNames) utils.book_set_sheet_visibility(book, name, state)
    return write(book, { type: 'buffer', bookType }) as Buffer
  }

  it.each([
    ['xlsx', 'xlsx', 'xlsx', 1],
    ['xlsx that only programs show', 'xlsx', 'xlsx', 2],
    ['xls', 'xls', 'biff8', 1],
    ['xlsb', 'xls', 'xlsb', 2],
  ] as const)(
    'of .%s follow the others and are named, empty ones are left out',
    async (_, format, form, state) => {
      const { pages, notices } = await readDocument({ format, bytes: workbook(form, state) })
      expect(pages.map(({ text }) => text)).toEqual(texts)
      expect(notices).toEqual(["sheet 'Lookup' is hidden"])
    },
  )

  it('of .ods follow the others and are named', async () => {
    const hide =
      '<office:automatic-styles><style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>'
    const tables = Object.entries(sheetsOf).map(([name, rows]) => {
      const cells = rows.flat().map(value => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`)
      const style = hiddenNames.includes(name) ? ' table:style-name="h"' : ''
      return `<table:table table:name="${name}"${style}><table:table-row>${cells.join('')}</table:table-row></table:table>`
    })
    const bytes = writeZip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content>${hide}<office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    })
    const { pages, notices } = await readDocument({ format: 'odt', bytes })
    expect(pages.map(({ text }) => text)).toEqual(texts)
    expect(notices).toEqual(["sheet 'Lookup' is hidden"])
  })

  it('that exceed a limit are left out with a notice', async () => {
    const book = utils.book_new()
    utils.book_append_sheet(book, utils.aoa_to_sheet([['A', 1]]), 'Shown')
    const wide = utils.aoa_to_sheet([])
    for (let row = 1; row <= 130; row++) wide[`XFD${row}`] = { t: 'n', v: row }
    wide['!ref'] = 'A1:XFD130'
    utils.book_append_sheet(book, wide, 'Wide')
    utils.book_set_sheet_visibility(book, 'Wide', 1)
    const bytes = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
    const { pages, notices } = await readDocument({ format: 'xlsx', bytes })
    expect(pages.map(({ text }) => text)).toEqual(['# Shown\nA\t1'])
    expect(notices).toEqual([
      expect.stringMatching(/^sheet 'Wide' is hidden and not read: too-large: .*cells/),
    ])
  })

  it('are marked in a spreadsheet of gold, and follow the others', () => {
    const sheets = readWorkbook(workbook('xlsx', 1)).map(({ name, isHidden = false }) => [name, isHidden])
    expect(sheets).toEqual([
      ['Shown', false],
      ['Last', false],
      ['Lookup', true],
    ])
  })
})
