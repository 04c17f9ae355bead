import { describe, expect, it } from 'vitest'
import { readDocument } from '../../retrieval/read-document.ts'
import { sniffFormat } from '../../retrieval/text/format.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

const transitional = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  links: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
}
const strict = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  links: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
}

interface BookOptions {
  readonly sheet?: string
  readonly names?: Partial<typeof usualNames>
  readonly namespaces?: typeof strict
  /** Changes every XML text. */
  readonly rewrite?: (xml: string) => string
  /** Changes the names of the files, but not the targets. */
  readonly rename?: (name: string) => string
  readonly types?: string
  readonly workbookProperties?: string
}

const usualNames = {
  workbook: 'xl/workbook.xml',
  sheet: 'xl/worksheets/sheet1.xml',
  shared: 'xl/sharedStrings.xml',
}

const rows =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1250</v></c></row>'
const text = '# Plants\nPlant\tOutput\nElbe & Söhne\t1250'

function book({
  sheet = rows,
  names: given = {},
  namespaces: { main, links } = transitional,
  rewrite = xml => xml,
  rename = name => name,
  types = '',
  workbookProperties = '',
}: BookOptions = {}): Buffer {
  const names = { ...usualNames, ...given }
  const link = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${links}/${kind}" Target="${target}"/>`
  const relationships = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`
  const slash = names.workbook.lastIndexOf('/') + 1
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types}</Types>`,
    '_rels/.rels': relationships(link('a', 'officeDocument', names.workbook)),
    [names.workbook]: `<workbook xmlns="${main}" xmlns:r="${links}">${workbookProperties}<sheets><sheet name="Plants" sheetId="1" r:id="b"/></sheets></workbook>`,
    [`${names.workbook.slice(0, slash)}_rels/${names.workbook.slice(slash)}.rels`]: relationships(
      link('b', 'worksheet', `/${names.sheet}`) + link('c', 'sharedStrings', `/${names.shared}`),
    ),
    [names.shared]: `<sst xmlns="${main}"><si><t>Plant</t></si><si><r><t>Out</t></r><r><t>put</t></r></si><si><t>Elbe &amp; Söhne</t></si></sst>`,
    [names.sheet]: `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  }
  return writeZip(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [rename(name), rewrite(xml)])),
  )
}

const read = (bytes: Uint8Array) => readDocument({ format: 'xlsx', bytes })

describe('the parts of a workbook', () => {
  const prefixed = (xml: string) =>
    xml
      .replace(/<(\/?)(workbook|sheets|sheet|sst|si|t|r|worksheet|sheetData|row|c|v)(?=[\s/>])/g, '<$1x:$2')
      .replace(
        'xmlns="http://schemas.openxmlformats.org/spreadsheetml',
        'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml',
      )

  it.each<[string, BookOptions]>([
    ['have the usual names', {}],
    [
      'have other names',
      { names: { workbook: 'book/main7.xml', sheet: 'x/First.xml', shared: 'x/texts.xml' } },
    ],
    ['are in the root folder', { names: { workbook: 'wb.xml', sheet: 's.xml', shared: 't.xml' } }],
    [
      'are named in another case',
      { rename: name => name.replace('shared', 'Shared').replace('sheet1', 'SHEET1') },
    ],
    ['have backslashes in their names', { rename: name => name.replaceAll('/', '\\') }],
    [
      'have names with spaces and umlauts',
      { names: { sheet: 'xl/worksheets/Blatt%20%C3%BC.xml' }, rename: decodeURIComponent },
    ],
    ['have attributes in single quotes', { rewrite: xml => xml.replaceAll('"', "'") }],
    ['have line ends between attributes', { rewrite: xml => xml.replaceAll(/ (?=\w+=")/g, '\n\t') }],
    ['have the strict namespaces', { namespaces: strict }],
    ['have prefixed elements', { rewrite: prefixed }],
    [
      'contain comments',
      { rewrite: xml => xml.replace('<sheetData>', '<sheetData><!-- <row><c><v>9</v></c></row> -->') },
    ],
    [
      'have attributes with angle brackets',
      { rewrite: xml => xml.replace('<worksheet ', '<worksheet note="a>b" ') },
    ],
  ])('%s', async (_, options) => {
    expect(sniffFormat(book(options), 'book')).toEqual({ format: 'xlsx' })
    expect(await read(book(options))).toMatchObject({ problem: null, pages: [{ text }] })
  })

  it('are recognised by the content type of the main part', () => {
    const types =
      '<Override PartName="/main/part.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    const bytes = book({ types, names: { workbook: 'main/part.xml' } })
    expect(sniffFormat(bytes, 'download')).toEqual({ format: 'xlsx' })
  })

  it('may be UTF-16', async () => {
    const files = book({ rewrite: xml => xml })
    expect((await read(files)).problem).toBeNull()
    const wide = writeZip({
      'xl/workbook.xml': Buffer.from(
        '\ufeff<workbook xmlns:r="r"><sheets><sheet name="Größe" sheetId="1" r:id="a"/></sheets></workbook>',
        'utf16le',
      ),
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="a" Type="x/worksheet" Target="s.xml"/></Relationships>',
      'xl/s.xml': '<worksheet><sheetData><row><c><v>3</v></c></row></sheetData></worksheet>',
    })
    expect((await read(wide)).pages[0]?.text).toBe('# Größe\n3')
  })
})

describe('cells without a value', () => {
  const cell = (name: string, attributes: string, content: string) =>
    `<row r="${name.slice(1)}"><c r="${name}" ${attributes}>${content}</c></row>`

  it.each([
    ['an error', cell('C3', 't="e"', '<v>#REF!</v>'), "sheet 'Plants', cell C3: the error value #REF!"],
    [
      'a missing lookup',
      cell('B9', 't="e"', '<f>VLOOKUP(A9,X:Y,2)</f><v>#N/A</v>'),
      "sheet 'Plants', cell B9: the error value #N/A",
    ],
    [
      'a formula that was never calculated',
      cell('D4', '', '<f>D2*2</f>'),
      "sheet 'Plants', cell D4: a formula without a stored value",
    ],
    [
      'a formula with an empty value',
      cell('D5', '', '<f>D2*2</f><v/>'),
      "sheet 'Plants', cell D5: a formula without a stored value",
    ],
    [
      'a text that is not in the workbook',
      cell('A7', 't="s"', '<v>99</v>'),
      "sheet 'Plants', cell A7: a text that the workbook lacks",
    ],
  ])('are reported with their place: %s', async (_, sheet, notice) => {
    expect(await read(book({ sheet: rows + sheet }))).toMatchObject({ problem: null, notices: [notice] })
  })

  it('are counted', async () => {
    const sheet = Array.from({ length: 8 }, (_, at) => cell(`E${at + 1}`, 't="e"', '<v>#DIV/0!</v>')).join('')
    expect((await read(book({ sheet }))).notices).toEqual([
      "sheet 'Plants', cells E1, E2, E3, E4, E5 and 3 more: the error value #DIV/0!",
    ])
  })

  it('are none of: empty cells, empty texts of formulas, calculated formulas', async () => {
    const sheet = `${rows}${cell('A3', '', '')}${cell('A4', 't="str"', '<f>""</f><v></v>')}${cell('A5', '', '<f>1+1</f><v>2</v>')}`
    expect((await read(book({ sheet }))).notices).toBeUndefined()
  })
})
