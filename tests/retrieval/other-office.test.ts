import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CFB, utils, type WorkBook, write } from '@e965/xlsx'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'other-office-'))
const reader = createDocumentReader({ cacheFolder: folder })
afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const texts = async (bytes: Uint8Array, name: string) => {
  const document = await reader.read(bytes, name)
  expect(document.problem).toBeNull()
  return document.pages.map(({ text }) => text)
}

const names = ['office', 'style', 'text', 'table', 'presentation']
const namespaces = [
  ...names.map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(' ')

function openDocument(kind: string, body: string, styles = ''): Buffer {
  return writeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${namespaces}><office:master-styles><style:master-page><style:header><text:p>ACME plc</text:p></style:header><style:footer><text:p/></style:footer></style:master-page></office:master-styles></office:document-styles>`,
  })
}

const looks = ['super 58%', 'sub 58%']
  .map(
    (position, at) =>
      `<style:style style:name="T${at}"><style:text-properties style:text-position="${position}"/></style:style>`,
  )
  .join('')

describe('OpenDocument', () => {
  it('returns text, notes, tables with spans, and page headers', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
    const bytes = openDocument(
      'text',
      `<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Beds</text:h>
      <text:p>An area of 10<text:span text:style-name="T0">6</text:span> m and H<text:span text:style-name="T1">2</text:span>O,<text:s text:c="2"/>sure<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>In 2024.</text:p></text:note-body></text:note>.</text:p>
      <text:p><text:span text:style-name="S">199</text:span><text:span text:style-name="H">secret</text:span> 149</text:p>
      <table:table><table:table-header-rows><table:table-row>${cell('Hotel', 'table:number-rows-spanned="2"')}${cell('Beds', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows>
      <table:table-row><table:covered-table-cell/>${cell('2023')}${cell('2024')}</table:table-row><table:table-row>${cell('Alder')}${cell('')}${cell('12')}</table:table-row></table:table></office:text>`,
      `${looks}<style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style><style:style style:name="H"><style:text-properties text:display="none"/></style:style>`,
    )
    const [text] = await texts(bytes, 'report.odt')
    expect(text).toContain('Page header:\n\nACME plc')
    expect(text).not.toMatch(/gone|secret|Page footer/)
    expect(text).toContain('## Beds\n\nAn area of 10⁶ m and H2O, sure¹.')
    expect(text).toMatch(/~~199~~ +149/)
    expect(text).toContain(
      '| Hotel | Beds | Beds |\n| --- | --- | --- |\n| Hotel | 2023 | 2024 |\n| Alder |  | 12 |',
    )
    expect(text).toContain('[1] In 2024.')
  })

  it('returns a part for each slide', async () => {
    const page = (text: string, style: string) =>
      `<draw:page draw:style-name="${style}"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>spoken</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`
    const bytes = openDocument(
      'presentation',
      `<office:presentation>${page('One', 's')}${page('Zwei', 'h')}</office:presentation>`,
      '<style:style style:name="h"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>',
    )
    expect(await texts(bytes, 'x.odp')).toEqual([
      'One\n\nNotes:\n\nspoken',
      '# Not visible in the presentation: slide 2\n\nZwei\n\nNotes:\n\nspoken',
    ])
  })

  it('returns sheets with cells in their columns, dates as dates, and hidden sheets last', async () => {
    const cell = (type: string, value: string, shown: string) =>
      `<table:table-cell office:value-type="${type}" ${value}><text:p>${shown}</text:p></table:table-cell>`
    const row = [
      cell('string', '', 'Alder'),
      '<table:table-cell table:number-columns-repeated="2"/>',
      cell('float', 'office:value="1234.5678"', '1,234.57'),
      cell('date', 'office:date-value="2024-12-31"', '12/31/24'),
      cell('percentage', 'office:value="0.1236"', '12.36%'),
      cell('currency', 'office:value="5"', '€5.00'),
      cell('float', 'office:value="7"', '0007'),
      '<table:table-cell/>',
      cell('string', 'calcext:value-type="error"', '#REF!'),
      '<table:table-cell table:number-columns-repeated="16000"/>',
    ].join('')
    const hidden = `<table:table table:name="Hid" table:style-name="h"><table:table-row>${cell('string', '', 'secret')}</table:table-row></table:table>`
    const bytes = openDocument(
      'spreadsheet',
      `<office:spreadsheet><table:table table:name="Data"><table:table-row>${row}</table:table-row><table:table-row table:number-rows-repeated="1048575"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>${hidden}</office:spreadsheet>`,
      '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>',
    )
    const { notices } = await reader.read(bytes, 'x.ods')
    expect(notices).toEqual(["sheet 'Data', cell J1: the error value #REF!", "sheet 'Hid' is hidden"])
    expect(await texts(bytes, 'x.ods')).toEqual([
      '# Data\nAlder\t\t\t1234.5678\t2024-12-31\t12.36%\t€5.00\t0007\t\t#REF!',
      '# Not visible in the workbook: Hid\nsecret',
    ])
  })

  it('refuses what repeats too much', async () => {
    const bytes = openDocument(
      'spreadsheet',
      '<office:spreadsheet><table:table table:name="D"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16000"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
    )
    expect((await reader.read(bytes, 'x.ods')).problem).toMatch(/^too-large: more than 2000000 cells/)
  })
})

const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const presentation = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function slides(bodies: readonly string[]): Buffer {
  const link = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relationships}/${kind}" Target="${target}"/>`
  const rels = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`
  return writeZip({
    '_rels/.rels': rels(link(1, 'officeDocument', 'ppt/presentation.xml')),
    'ppt/presentation.xml': `<p:presentation ${presentation} xmlns:r="${relationships}"><p:sldIdLst>${bodies.map((_, at) => `<p:sldId id="${300 - at}" r:id="rId${at + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      bodies.map((_, at) => link(at + 1, 'slide', `slides/slide${bodies.length - at}.xml`)).join(''),
    ),
    ...Object.fromEntries(bodies.map((body, at) => [`ppt/slides/slide${bodies.length - at}.xml`, body])),
  })
}

const slide = (shapes: string, more = '') =>
  `<p:sld ${presentation} ${drawing} ${more}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
const shape = (text: string, kind = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind === '' ? '' : `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p>${text}</a:p></p:txBody></p:sp>`
const run = (text: string, look = '') => `<a:r><a:rPr ${look}/><a:t>${text}</a:t></a:r>`

describe('PowerPoint', () => {
  it('returns the slides in order, hidden ones last, with titles, groups and tables', async () => {
    const cell = (text: string, more = '') =>
      `<a:tc ${more}><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Beds', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('2023')}${cell('2024')}</a:tr><a:tr>${cell('')}${cell('12')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    const bytes = slides([
      slide(
        `${shape(run('Results'), 'title')}<p:grpSp>${shape(`${run('42')}${run('3', 'baseline="30000"')}${run(' m')}`)}</p:grpSp>${shape(run('9'), 'sldNum')}`,
      ),
      slide(shape(run('kept back')), 'show="0"'),
      slide(`${table}${shape(`${run('199', 'strike="sngStrike"')}${run(' 149')}`)}`),
    ])
    expect(await texts(bytes, 'talk.pptx')).toEqual([
      '## Results\n\n42³ m',
      'Beds\n\n| 2023 | 2024 |\n| --- | --- |\n|  | 12 |\n\n~~199~~  149',
      '# Not visible in the presentation: slide 2\n\nkept back',
    ])
    expect((await reader.read(bytes, 'talk.pptx')).notices).toEqual(['slide 2 is hidden'])
  })

  it('reports a missing slide as damage', async () => {
    const bytes = writeZip({
      'ppt/presentation.xml': `<p:presentation ${presentation} xmlns:r="${relationships}"><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
    })
    expect((await reader.read(bytes, 'x')).problem).toMatch(
      /^damaged: not a readable PowerPoint presentation/,
    )
  })
})

/** A record of PowerPoint 97: its type, its instance, and its content. */
function record(type: number, content: Buffer | readonly Buffer[], instance = 0): Buffer {
  const isContainer = !Buffer.isBuffer(content)
  const body = isContainer ? Buffer.concat(content) : content
  const head = Buffer.alloc(8)
  head.writeUInt16LE((instance << 4) | (isContainer ? 15 : 0), 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const numbers = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4)
  return bytes
}

/** A presentation with two slides, of which the second stands first in the file and was written again by a later edit. */
function olderSlides(): Buffer {
  const wide = (text: string) => record(4000, Buffer.from(text, 'utf16le'))
  const narrow = (text: string) => record(4008, Buffer.from(text, 'latin1'))
  const box = (text: Buffer) => record(1006, [record(0xf002, [record(0xf004, [record(0xf00d, text)])])])
  const list = record(4080, [
    record(1011, numbers(2, 0)),
    narrow('Results'),
    record(1011, numbers(3, 0)),
    wide('数据'),
  ])
  const parts = [
    record(1000, [record(4080, [narrow('master')], 1), list]),
    box(narrow('old')),
    box(narrow('42 m\rmore')),
    box(wide('Größe')),
  ]
  const places: number[] = []
  let stream = Buffer.alloc(0)
  const add = (part: Buffer) => {
    const at = stream.length
    stream = Buffer.concat([stream, part])
    return at
  }
  for (const part of parts) places.push(add(part))
  const [main = 0, old = 0, first = 0, second = 0] = places
  const directory = add(record(6002, numbers((3 << 20) | 1, main, first, old)))
  const edit = add(record(4085, numbers(0, 0, 0, directory, 1, 0, 0)))
  const later = add(record(6002, numbers((1 << 20) | 3, second)))
  const last = add(record(4085, numbers(0, 0, edit, later, 1, 0, 0)))
  const file = CFB.utils.cfb_new()
  CFB.utils.cfb_add(file, '/PowerPoint Document', stream)
  CFB.utils.cfb_add(file, '/Current User', record(4086, numbers(20, 0xe391c05f, last)))
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

describe('Office 97', () => {
  it('returns the slides of the last edit', async () => {
    const document = await reader.read(olderSlides(), 'talk.ppt')
    expect(document.pages.map(({ text }) => text)).toEqual(['Results\n42 m\nmore', '数据\nGröße'])
    expect(document.notices).toEqual([expect.stringContaining('raised')])
  })

  it('returns the text of Word, with a notice where characters are raised', async () => {
    const document = await reader.read(readFileSync('tests/fixtures/office/report.doc'), 'x')
    expect(document).toMatchObject({ format: 'doc', problem: null })
    expect(document.pages[0]!.text).toContain('Hotel\tBeds\n\t2023\t2024\nAlder\t12\t\nBirch\t\t30\n')
    expect(document.pages[0]!.text).toContain('Über Größe — naïve 数据')
    expect(document.notices).toEqual([expect.stringContaining('raised')])
  })

  it.each(['biff8', 'biff5', 'xlsb'] as const)(
    'returns the sheets of %s, hidden ones last, with numbers as in .xlsx',
    async bookType => {
      const date = 45657
      const sheet = utils.aoa_to_sheet([
        ['Hotel', 'Beds', 'When', 'Share', 'Code', 'Wide'],
        ['Alder', 12.25, date, 0.1236, 7, 1234567.891],
        [],
        ['Birch', null, true, { t: 'e', v: 0x17, w: '#REF!' }],
      ])
      for (const [cell, format] of [
        ['C2', 'yyyy-mm-dd'],
        ['D2', '0.00%'],
        ['E2', '0000'],
        ['F2', '#,##0'],
      ] as const)
        sheet[cell].z = format
      const book: WorkBook = {
        SheetNames: ['Data', 'Hid'],
        Sheets: { Data: sheet, Hid: utils.aoa_to_sheet([['secret']]) },
      }
      book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
      expect(await texts(write(book, { type: 'buffer', bookType }) as Buffer, 'x')).toEqual([
        '# Data\nHotel\tBeds\tWhen\tShare\tCode\tWide\nAlder\t12.25\t2024-12-31\t12.36%\t0007\t1234567.891\nBirch\t\tTRUE\t#REF!',
        '# Not visible in the workbook: Hid\nsecret',
      ])
    },
  )

  it('names a protected file and a compound file of another kind', async () => {
    const compound = (name: string) => {
      const file = CFB.utils.cfb_new()
      CFB.utils.cfb_add(file, `/${name}`, Buffer.alloc(600))
      return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
    }
    expect((await reader.read(compound('EncryptedPackage'), 'x.xlsx')).problem).toMatch(
      /protected by a password/,
    )
    expect((await reader.read(compound('__properties_version1.0'), 'x.msg')).problem).toMatch(
      /^unreadable: a compound file/,
    )
    expect((await reader.read(compound('WordDocument'), 'x.doc')).problem).toMatch(
      /^damaged: not a readable Word 97/,
    )
  })
})
