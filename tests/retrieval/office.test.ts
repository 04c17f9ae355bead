import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'office-'))
const reader = createDocumentReader({ cacheFolder: folder })
afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const types = (parts: string) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts}</Types>`
const links = (target: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`
const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
const docx = writeZip({
  '[Content_Types].xml': types(
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
  ),
  '_rels/.rels': links('word/document.xml'),
  'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
    <w:p><w:r><w:t>年度报告</w:t></w:r></w:p><w:tbl><w:tr>${cell('Item')}${cell('2024')}</w:tr><w:tr>${cell('营业收入')}${cell('5,048.4')}</w:tr></w:tbl></w:body></w:document>`,
})

const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>2024 &amp; on</t></is></c></row>
  <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>0.30000000000000004</v></c><c r="C3" s="1"><v>45657</v></c><c r="D3" t="b"><v>1</v></c></row></sheetData></worksheet>`
const xlsx = writeZip({
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="Income" sheetId="1" r:id="rId1"/><sheet name="Secret" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Item</t></si><si><r><t>营业</t></r><r><t xml:space="preserve">收入\n</t></r></si></sst>',
  'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': sheet,
})

describe('Word', () => {
  it('returns paragraphs, and table rows as lines with bars between cells', async () => {
    const document = await reader.read(docx, 'report')
    expect(document).toMatchObject({ format: 'docx', problem: null })
    expect(document.pages[0]?.text).toBe('年度报告\n\n| Item | 2024 |\n| --- | --- |\n| 营业收入 | 5,048.4 |')
  })
  it('reports that an incomplete file is damaged', async () => {
    expect((await reader.read(docx.subarray(0, docx.length - 60), 'x')).problem).toMatch(/^damaged/)
  })
})

describe('Excel', () => {
  it('returns a page for each sheet, cells in their columns, dates as dates, and hidden sheets last', async () => {
    const document = await reader.read(xlsx, 'book')
    expect(document).toMatchObject({ format: 'xlsx', problem: null })
    expect(document.pages.map(page => page.text)).toEqual([
      '# Income\nItem\t\t2024 & on\n营业收入\t0.3\t2024-12-31\tTRUE',
      '# Not visible in the workbook: Secret\nItem\t\t2024 & on\n营业收入\t0.3\t2024-12-31\tTRUE',
    ])
  })
  it('reads CDATA, escaped control characters, and sheets linked by any namespace prefix', async () => {
    const book = writeZip({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Notes" sheetId="1" links:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c t="inlineStr"><is><t><![CDATA[R&D]]></t></is></c><c t="inlineStr"><is><t>two_x000D_\nlines</t></is></c><c t="inlineStr"><is><t>_x005F_x000D_</t></is></c></row></sheetData></worksheet>',
    })
    expect((await reader.read(book, 'book')).pages[0]?.text).toBe('# Notes\nR&D\ttwo lines\t_x000D_')
  })
  it('reports that an incomplete file is damaged', async () => {
    expect((await reader.read(xlsx.subarray(0, xlsx.length - 60), 'x')).problem).toMatch(/^damaged/)
  })
})
