import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { writeZip } from '../../src/system/zip-writer.ts'
import { runToolInput } from '../../tools/run-tool-input.ts'
import { testEnvironment } from './support/environment.ts'
import { localWeb } from './support/local-web.ts'

const files = {
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Balance &amp; more" sheetId="1" r:id="rId2"/><sheet name="表" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet2.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Item</t></si><si><r><t>Total </t></r><r><t>assets</t></r><rPh><t>x</t></rPh></si><si><t>总额|a</t></si></sst>',
  'xl/styles.xml':
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m"/><numFmt numFmtId="171" formatCode="#,##0.00_);[Red]"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': `<x:worksheet><x:sheetData>
    <x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" s="2"><x:v>45292</x:v></x:c><x:c r="D1" s="1"/></x:row>
    <x:row r="3"><x:c r="A3" t="s"><x:v>1</x:v></x:c><x:c r="B3" s="4"><x:v>-1234.5</x:v></x:c><x:c r="C3" s="1"><x:v>0.1236</x:v></x:c><x:c r="D3" s="3"><x:v>45292.5</x:v></x:c></x:row>
    </x:sheetData></x:worksheet>`,
  'xl/worksheets/sheet2.xml':
    '<worksheet><sheetData><row><c t="inlineStr"><is><t>甲</t></is></c><c t="s"><v>2</v></c><c t="b"><v>1</v></c><c><v>0.30000000000000004</v></c><c t="str"><f>A1</f><v>a&lt;b</v></c></row></sheetData></worksheet>',
}

it('reads an Excel workbook with fetch_page, whatever the server calls it, one row per line', async () => {
  const web = await localWeb(() => ({ headers: { 'content-type': 'text/html' }, body: writeZip(files) }))
  const reader = createDocumentReader({ cacheFolder: mkdtempSync(join(tmpdir(), 'tablehunt-')) })
  const input = JSON.stringify({ url: `${web.url}/figures.xlsx` })
  const run = await runToolInput('fetch_page', input, testEnvironment({ reader }))
  const found = await runToolInput(
    'read_pdf',
    JSON.stringify({ url: `${web.url}/figures.xlsx`, find: ['total assets'], pages: '1' }),
    testEnvironment({ reader }),
  )
  await Promise.all([web.close(), reader.close()])
  expect(run.text).toContain('Title: figures.xlsx')
  expect(run.text).toContain('Total assets\t-1234.5\t12.36%')
  expect(found.text).toContain('Note: This is not a PDF. Ignored argument: pages. Call fetch_page with part.')
  expect(found.text).toContain('"total assets": parts 1')
  expect(found.text).toContain('Total assets\t-1234.5\t12.36%')
})
