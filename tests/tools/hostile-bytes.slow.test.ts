import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deflateSync } from 'node:zlib'
import type { ToolMessage } from '@langchain/core/messages'
import { afterAll, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import type { ToolError } from '../../src/core/errors.ts'
import { writeZip } from '../../src/system/zip-writer.ts'
import { createTools } from '../../tools/registry.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalAnswer, localWeb } from './support/local-web.ts'

/** The event loop of a run waits at most so long in 99 of 100 turns, whatever its attempts read. */
const maxDelayMs = 200

const folder = mkdtempSync(join(tmpdir(), 'hostile-bytes-'))
const reader = createDocumentReader({ cacheFolder: folder })
const web = await localWeb(({ path }) => answers.get(path)!)
afterAll(async () => {
  await reader.close()
  await web.close()
  rmSync(folder, { recursive: true, force: true })
})

const html = (text: string): LocalAnswer => ({ headers: { 'content-type': 'text/html' }, body: text })
const plain = (body: string | Uint8Array): LocalAnswer => ({
  headers: { 'content-type': 'text/plain' },
  body,
})
const office = (parts: Record<string, string>): LocalAnswer => ({
  headers: { 'content-type': 'application/octet-stream' },
  body: writeZip(parts),
})

const openXml = 'http://schemas.openxmlformats.org'
const relation = (target: string, kind: string): string =>
  `<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="r1" Type="${openXml}/officeDocument/2006/relationships/${kind}" Target="${target}"/></Relationships>`

const word = (body: string): LocalAnswer =>
  office({
    '[Content_Types].xml': `<Types xmlns="${openXml}/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relation('word/document.xml', 'officeDocument'),
    'word/document.xml': `<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  })

const workbook = (rows: string): LocalAnswer =>
  office({
    '[Content_Types].xml': `<Types xmlns="${openXml}/package/2006/content-types"/>`,
    '_rels/.rels': relation('xl/workbook.xml', 'officeDocument'),
    'xl/workbook.xml': `<workbook xmlns="${openXml}/spreadsheetml/2006/main" xmlns:r="${openXml}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheets/sheet1.xml', 'worksheet'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${openXml}/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
  })

/** A PDF of one page whose content is packed, once for each filter. */
function pdf(content: string, filters: number, resources = ''): LocalAnswer {
  let packed: Buffer = Buffer.from(content)
  for (let filter = 0; filter < filters; filter++) packed = deflateSync(packed)
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << ${font} ${resources} >> >>`,
    `<< /Length ${packed.length} /Filter [${'/FlateDecode '.repeat(filters)}] >>\nstream\n`,
  ].map((text, index) => Buffer.from(`${index + 1} 0 obj\n${text}`))
  const end = Buffer.from('\nendobj\n')
  const parts = objects.flatMap((text, index) =>
    index === 3 ? [text, packed, Buffer.from('\nendstream'), end] : [text, end],
  )
  const body = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF'),
  ])
  return { headers: { 'content-type': 'application/pdf' }, body }
}

/** What a server may send, and what the agent must be told. */
const inputs: readonly (readonly [name: string, answer: () => LocalAnswer, told: RegExp])[] = [
  [
    'cells that span 65 million',
    () => html(`<table>${'<tr><td rowspan=65534 colspan=1000>x</td></tr>'.repeat(256)}</table>`),
    /too-large.*cells/,
  ],
  ['deep elements', () => html(`${'<div>'.repeat(500_000)}Alder`), /too-large.*levels/],
  ['unclosed elements', () => html('<p><b><i><u><a href=x>'.repeat(100_000)), /too-large.*levels/],
  [
    'many attributes',
    () => html(`<div ${Array.from({ length: 300_000 }, (_, at) => `a${at}=1`).join(' ')}>x`),
    /too-large.*attributes/,
  ],
  [
    'many links',
    () => html(Array.from({ length: 150_000 }, (_, at) => `<a href="/${at}">l${at}</a> `).join('')),
    /too-large|l149999|Part 1 of/,
  ],
  ['many entities', () => html('&amp;'.repeat(500_000)), /too-large|Part 1 of/],
  ['spaces without end', () => html(`<p>x${'&nbsp; \n'.repeat(300_000)}y`), /Part 1 of/],
  ['a CSV of open quotes', () => plain(`a,b\n"${'x"",'.repeat(4_500_000)}`), /Part 1 of/],
  ['a text of no encoding', () => plain(new Uint8Array(15_000_000).fill(0xe9)), /Part 1 of|too-large/],
  [
    'a workbook of 400,000 rows',
    () =>
      workbook(
        Array.from({ length: 400_000 }, (_, at) => `<row r="${at + 1}"><c><v>${at}</v></c></row>`).join(''),
      ),
    /# S/,
  ],
  [
    'a cell far away',
    () => workbook('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>'),
    /far|too-large/,
  ],
  ['a Word file of one long text', () => word(`<w:p><w:r><w:t>${'a'.repeat(140_000_000)}`), /too-large/],
  ['a deep Word file', () => word(`${'<w:p><w:r>'.repeat(100_000)}<w:t>x</w:t>`), /too-large|damaged/],
  ['a PDF of packed spaces', () => pdf(' '.repeat(100_000_000), 2), /too-large|blank|empty/],
  [
    'a PDF page of 8 million characters',
    () => pdf(`BT /F1 1 Tf ${'(abcdefghij) Tj '.repeat(800_000)}ET`, 1),
    /too-large/,
  ],
]
const answers = new Map(inputs.map(([name, make]) => [`/${encodeURIComponent(name)}`, make()]))

it.each(inputs)('does not stop the other attempts: %s', async (name, _, told) => {
  const environment = { ...testEnvironment({ reader }) }
  const url = `${web.url}/${encodeURIComponent(name)}`
  const tool = answers.get(`/${encodeURIComponent(name)}`)!.headers!['content-type']!.includes('pdf')
    ? 'read_pdf'
    : 'fetch_page'
  const [instance] = await createTools([tool], environment)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const call = { type: 'tool_call', id: 'c', name: tool, args: { url } }
  const answer: string = await instance!.invoke(call).then(
    message => String((message as ToolMessage).content),
    (error: ToolError) => `${error.errorClass}: ${error.message}`,
  )
  delay.disable()
  expect(answer).toMatch(told)
  // Other programs take their share of the processors.
  const load = Math.max(1, loadavg()[0]! / availableParallelism())
  expect(delay.percentile(99) / 1e6).toBeLessThan(maxDelayMs * load)
})
