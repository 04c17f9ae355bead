import type { ToolMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import type { PageText } from '../../src/core/document.ts'
import { createTools } from '../../tools/registry.ts'
import type { ToolArtifact } from '../../tools/tool.ts'
import { smallPdf } from '../retrieval/small-pdf.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalAnswer, type LocalRequest, type LocalWeb, localWeb } from './support/local-web.ts'
import { pdfiumReader } from './support/pdfium-reader.ts'

/** Creates a PDF with one page per list of lines; for ASCII text without brackets and backslashes. */
const pdfOf = (pages: readonly (readonly string[])[]): Uint8Array =>
  smallPdf(pages.map(lines => lines.map((text, row) => ({ x: 40, y: 780 - 8.5 * row, text }))))

let web: LocalWeb
afterEach(async () => await web.close())

const pdf = (bytes: Uint8Array, contentType = 'application/pdf'): LocalAnswer => ({
  headers: { 'content-type': contentType },
  body: bytes,
})

/** Creates a reader that reads a PDF and returns its pages after a change. */
function readerOf(altered: (pages: readonly PageText[]) => PageText[]): ReturnType<typeof pdfiumReader> {
  const plain = pdfiumReader()
  return {
    ...plain,
    read: async (bytes, name) => {
      const document = await plain.read(bytes, name)
      return { ...document, pages: altered(document.pages) }
    },
  }
}

async function serve(answer: (request: LocalRequest) => LocalAnswer, reader = pdfiumReader()) {
  web = await localWeb(answer)
  const environment = testEnvironment({ reader })
  const tools = await createTools(['read_pdf', 'fetch_page'], environment)
  const call = async (name: string, args: object): Promise<{ text: string; artifact: ToolArtifact }> => {
    const input = { type: 'tool_call' as const, id: 'c', name, args: { url: `${web.url}/a.pdf`, ...args } }
    const message = (await tools.find(tool => tool.name === name)?.invoke(input)) as ToolMessage
    return { text: String(message.content), artifact: message.artifact as ToolArtifact }
  }
  return { environment, reader, call }
}

const pages = (count: number): string[][] =>
  Array.from({ length: count }, (_, n) => [
    `Page ${n + 1} begins`,
    `Net profit ${n + 1},500 thousand`,
    'The end',
  ])

describe('read_pdf', () => {
  it('returns the requested pages, each under its number', async () => {
    const { call } = await serve(() => pdf(pdfOf(pages(9))))
    const { text, artifact } = await call('read_pdf', { pages: '3-4' })
    expect(text).toContain(`URL: ${web.url}/a.pdf\nPages 3-4 of 9\n\n--- page 3 ---\nPage 3 begins`)
    expect(text).not.toContain('Page 5 begins')
    expect(artifact.observations[0]).toMatchObject({ kind: 'body', shown: [3, 4], total: 9 })
  })

  it('accepts a page given as a number', async () => {
    const { call } = await serve(() => pdf(pdfOf(pages(9))))
    expect((await call('read_pdf', { pages: 3 })).text).toContain('Pages 3-3 of 9')
  })

  it('marks the pages read by OCR, for the agent and in the record', async () => {
    const reader = readerOf(all => all.map(page => ({ ...page, ocr: page.number > 1 })))
    const { call } = await serve(() => pdf(pdfOf(pages(3))), reader)
    const { text, artifact } = await call('read_pdf', { pages: '1-2' })
    expect(text).toContain('--- page 2 (read by OCR) ---')
    expect(artifact.observations[0]).toMatchObject({ shown: [1, 2], ocr: [2] })
    expect((await call('read_pdf', { pages: '1' })).artifact.observations[0]).not.toHaveProperty('ocr')
  })

  it.each([
    ['2', [2]],
    ['8-', [8, 9]],
    ['-2', [1, 2]],
    ['7-99', [7, 8, 9]],
  ])('understands pages "%s"', async (asked, shown) => {
    const { call } = await serve(() => pdf(pdfOf(pages(9))))
    expect((await call('read_pdf', { pages: asked })).artifact.observations[0]).toMatchObject({ shown })
  })

  it.each(['0', '10', '5-3', 'all', 'x-y'])(
    'rejects pages "%s" and reports the existing pages',
    async asked => {
      const { call } = await serve(() => pdf(pdfOf(pages(9))))
      await expect(call('read_pdf', { pages: asked })).rejects.toMatchObject({
        errorClass: 'bad-input',
        observations: [{ kind: 'body', shown: [] }],
      })
    },
  )

  it('explains how to write a range that goes backwards', async () => {
    const { call } = await serve(() => pdf(pdfOf(pages(9))))
    await expect(call('read_pdf', { pages: '5-3' })).rejects.toThrow(
      'write the first page first, as in "3-5"',
    )
  })

  it('shows as many pages as fit and explains how to continue', async () => {
    const long = Array.from({ length: 12 }, (_, n) =>
      Array.from({ length: 90 }, (_, line) => `Page ${n + 1} line ${line} ${'word '.repeat(10)}`),
    )
    const { call } = await serve(() => pdf(pdfOf(long)))
    const { text, artifact } = await call('read_pdf', {})
    const last = Number(/Pages 1-(\d+) of 12/.exec(text)?.[1])
    expect(last).toBeLessThan(12)
    expect(text).toContain(`[continues: call read_pdf with pages "${last + 1}-12"]`)
    expect(artifact.truncated).toBe(true)
    const second = await call('fetch_page', { part: 2 })
    expect(second.text).toContain(`--- page ${last + 1} ---`)
  })

  it('returns the pages after an unreadable one', async () => {
    const reader = readerOf(all => all.filter(page => page.number !== 2))
    const { call } = await serve(() => pdf(pdfOf(pages(4))), reader)
    const all = await call('read_pdf', {})
    expect(all.text).toContain('Pages 1-4 of 4')
    expect(all.text).toContain('Page 4 begins')
    expect(all.artifact.observations[0]).toMatchObject({ shown: [1, 3, 4], total: 4 })
    expect((await call('read_pdf', { pages: '4' })).text).toContain('Page 4 begins')
    expect((await call('read_pdf', { find: ['4,500'] })).text).toContain('Found in pages 1-4 of 4')
  })

  it('finds passages with page numbers, however the term is spaced', async () => {
    const { call } = await serve(() => pdf(pdfOf(pages(9))))
    const { text, artifact } = await call('read_pdf', { find: ['net  PROFIT 7500', 'dividend'] })
    expect(text).toContain('"net  PROFIT 7500": pages 7')
    expect(text).toContain('"dividend": not found')
    expect(text).toContain('--- page 7 ---\nPage 7 begins\nNet profit 7,500 thousand\nThe end')
    expect(artifact.observations[0]).toMatchObject({ shown: [7], total: 9 })
  })

  it("detects the type from the bytes, not from the server's label, in both tools", async () => {
    const { call } = await serve(() => pdf(pdfOf(pages(1)), 'text/html'))
    expect((await call('read_pdf', {})).text).toBe((await call('fetch_page', {})).text)
  })

  it('downloads and reads a document once per attempt', async () => {
    const { environment, reader, call } = await serve(() => pdf(pdfOf(pages(3))))
    await call('read_pdf', { pages: '1' })
    await call('read_pdf', { find: ['profit'] })
    await call('fetch_page', {})
    expect(web.requests).toHaveLength(1)
    expect(environment.charged).toHaveLength(1)
    expect(reader.reads).toEqual(['a.pdf'])
  })

  it('reports that a damaged PDF cannot be read, and shows none of its bytes', async () => {
    const { call } = await serve(() =>
      pdf(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500, 'x')])),
    )
    const { text, artifact } = await call('read_pdf', {})
    expect(text).toMatch(/This PDF can't be read: .+/)
    expect(text).not.toContain('xxx')
    expect(artifact.observations[0]).toMatchObject({ textSha256: null, shown: [] })
  })

  it('reads a web page requested as a PDF', async () => {
    const { call } = await serve(() => ({
      headers: { 'content-type': 'text/html' },
      body: '<p>Gone: see the archive</p>',
    }))
    const { text } = await call('read_pdf', {})
    expect(text).toContain('Note: This is not a PDF.')
    expect(text).toContain('Gone: see the archive')
  })
})
