import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentReader, type DocumentReader } from '../../retrieval/document-reader.ts'
import type { PdfPool } from '../../retrieval/pdf/pool.ts'
import { joinPages } from '../../src/core/document.ts'
import { scannedPage, smallPdf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'reader-'))
let reader: DocumentReader

beforeAll(() => {
  reader = createDocumentReader({ cacheFolder: folder })
})
afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = async (bytes: Uint8Array | string, name = 'file') =>
  await reader.read(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, name)
/** A pool that must not be needed. */
const noPool: PdfPool = { read: () => Promise.reject(new Error('not cached')), close: async () => {} }
const textOf = async (bytes: Uint8Array | string, name = 'file') => joinPages((await read(bytes, name)).pages)

describe('PDF', () => {
  it('returns a row of a statement as one line with tabs between cells', async () => {
    const text = await textOf(
      smallPdf([
        [
          { x: 50, y: 700, text: 'Total revenues' },
          { x: 300, y: 700, text: '$' },
          { x: 340, y: 700, text: '5,048.4' },
          { x: 420, y: 700, text: '$' },
          { x: 460, y: 700, text: '4,668.0' },
          { x: 50, y: 680, text: 'A sentence of ordinary prose stays whole.' },
        ],
      ]),
    )
    expect(text).toBe('Total revenues\t$ 5,048.4\t$ 4,668.0\nA sentence of ordinary prose stays whole.')
  })

  it('returns a header that was drawn cell by cell to its rows', async () => {
    const text = await textOf(
      smallPdf([
        [
          { x: 300, y: 700, text: 'December 27,' },
          { x: 310, y: 688, text: '2024' },
          { x: 400, y: 700, text: 'June 28,' },
          { x: 405, y: 688, text: '2023' },
          { x: 50, y: 670, text: 'Cash' },
          { x: 310, y: 670, text: '2,291' },
          { x: 405, y: 670, text: '1,879' },
        ],
      ]),
    )
    expect(text).toBe('December 27,\tJune 28,\n2024\t2023\nCash\t2,291\t1,879')
  })

  it('returns a table that was drawn column by column to its rows', async () => {
    const rows = Array.from({ length: 12 }, (_, row) => row)
    const column = (x: number, name: string) =>
      rows.map(row => ({ x, y: 700 - 15 * row, text: `${name}${row}` }))
    const text = await textOf(
      smallPdf([[...column(60, 'name'), ...column(250, 'club'), ...column(450, 'time')]]),
    )
    expect(text.split('\n')).toEqual(rows.map(row => `name${row}\tclub${row}\ttime${row}`))
  })

  it('reads columns of prose one after the other', async () => {
    const lines = Array.from({ length: 12 }, (_, line) => line)
    const column = (x: number, name: string) =>
      lines.map(line => ({
        x,
        y: 700 - 15 * line,
        text: `${name} line ${line} with words that fill a column`,
      }))
    const text = await textOf(smallPdf([[...column(50, 'left'), ...column(320, 'right')]]))
    expect(text.split('\n').map(line => line.split(' ')[0])).toEqual([
      ...lines.map(() => 'left'),
      ...lines.map(() => 'right'),
    ])
  })

  it('finds the cells of a rotated table', async () => {
    const text = await textOf(
      smallPdf([
        [
          { x: 100, y: 100, text: 'Revenue', degrees: 90 },
          { x: 100, y: 300, text: '1,000', degrees: 90 },
          { x: 100, y: 400, text: '2,000', degrees: 90 },
        ],
      ]),
    )
    expect(text).toBe('Revenue\t1,000\t2,000')
  })

  it('names scanned pages and reads all others', async () => {
    const document = await read(smallPdf([[{ x: 50, y: 700, text: 'Page one' }], scannedPage, scannedPage]))
    expect(document.problem).toMatch(/^scanned: no text on pages 2-3 \(install tesseract/)
    expect(document.pages.map(page => page.text)).toEqual(['Page one', '', ''])
  })

  it('reports no problem for an empty page among others', async () => {
    expect((await read(smallPdf([[{ x: 50, y: 700, text: 'Page one' }], '']))).problem).toBeNull()
  })

  it.each([
    [
      'encrypted',
      smallPdf([[{ x: 50, y: 700, text: 'secret' }]], { encrypted: true }),
      /^encrypted: .*password/,
    ],
    ['cut within its first object', smallPdf([[]]).subarray(0, 40), /^truncated/],
    ['without pages of text', smallPdf(['', '']), /^empty: every page is blank/],
    ['only a header', Buffer.from('%PDF-1.7\n%%EOF'), /^damaged/],
    ['a file of 0 bytes', new Uint8Array(), /^empty: the file has 0 bytes/],
  ])('has no text and explains why: %s', async (_, bytes, problem) => {
    const document = await read(bytes, 'file.pdf')
    expect(document.problem).toMatch(problem)
    expect(joinPages(document.pages).trim()).toBe('')
  })

  it('reports that a file is incomplete', async () => {
    const whole = smallPdf(Array.from({ length: 30 }, (_, page) => [{ x: 50, y: 700, text: `Page ${page}` }]))
    const document = await read(whole.subarray(0, whole.length - 1000))
    expect(document.problem).toMatch(/truncated/)
  })

  it('reads 40 documents that are requested at the same time', async () => {
    const texts = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        textOf(smallPdf([[{ x: 50, y: 700, text: `Document ${number}` }]])),
      ),
    )
    expect(texts).toEqual(Array.from({ length: 40 }, (_, number) => `Document ${number}`))
  })
})

describe('a long PDF', () => {
  it('has every page in order, also when it is read from the cache', async () => {
    const textOfPage = (at: number): string =>
      Array.from({ length: 12 }, (_, line) => `${at}.${line} ${'word '.repeat(16)}`.trim()).join('\n')
    const texts = Array.from({ length: 450 }, (_, at) => textOfPage(at))
    const bytes = smallPdf(
      texts.map(text => text.split('\n').map((line, at) => ({ x: 50, y: 700 - 20 * at, text: line }))),
    )
    const first = await read(bytes)
    expect(first.pages.map(page => page.text)).toEqual(texts)
    expect(first.pages.map(page => page.number)).toEqual(texts.map((_, at) => at + 1))
    const other = createDocumentReader({ cacheFolder: folder, pdfPool: noPool })
    expect(await other.read(bytes, 'file')).toEqual(first)
  })
})

describe('HTML', () => {
  it('returns table rows as lines with bars between cells, without scripts', async () => {
    const html = `<html><head><title>x</title><script>var a = 1</script></head><body><h1>Results</h1>
      <table><tr><th>Item</th><th>2024</th><th>2023</th></tr><tr><td>Revenue</td><td>5,048</td><td></td></tr></table>
      <p>First<br>second &amp; third</p><ul><li>one</li><li>two</li></ul></body></html>`
    expect(await textOf(html)).toBe(
      '# Results\n\n| Item | 2024 | 2023 |\n| --- | --- | --- |\n| Revenue | 5,048 |  |\n\nFirst\nsecond & third\n\n- one\n- two',
    )
  })
  it('drops spacer cells of layout tables and joins currency signs with their numbers', async () => {
    const html =
      '<html><body><table><tr><td>Total</td><td></td><td>$</td><td>5</td><td></td></tr><tr><td colspan=5>x</td></tr></table></body></html>'
    expect(await textOf(html)).toBe('| Total | $ 5 |\n| --- | --- |\n| x |  |')
  })
  it('keeps words in inline elements on their line', async () => {
    const words =
      'Sold <nobr>1,234</nobr>, <ix:continuation>of which</ix:continuation> <label>567</label> abroad'
    expect(await textOf(`<html><body><p>${words}</p></body></html>`)).toBe('Sold 1,234, of which 567 abroad')
  })
  it('reads HTML with unclosed tags nested deeper than the call stack', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `<div>line ${index}`)
    const text = await textOf(`<html><body>${lines.join('')}<script>var a = 1</script></body></html>`)
    expect(text.split('\n')).toEqual(Array.from({ length: 5_000 }, (_, index) => `line ${index}`))
  })

  it('follows the charset that the page names', async () => {
    const bytes = Buffer.concat([
      Buffer.from('<html><head><meta charset="gb2312"></head><body>'),
      Buffer.from([0xd3, 0xaa, 0xd2, 0xb5, 0xca, 0xd5, 0xc8, 0xeb]),
      Buffer.from('</body></html>'),
    ])
    expect(await textOf(bytes)).toBe('营业收入')
  })
})

describe('plain text', () => {
  const gbk = Buffer.from('b1a8b8e6c6dac4daa3accdf8ceafbbe1d0d0cfa2c8e7cfc2a1a3', 'hex')
  const big5 = Buffer.from('a4a4b0eaaabac0e7b77ea6aca44aac4f', 'hex')
  it.each([
    ['UTF-8', Buffer.from('营业收入 résumé'), '营业收入 résumé'],
    ['UTF-8 with a mark', Buffer.from('\ufeff营业'), '营业'],
    ['UTF-16 with a mark', Buffer.from('\ufeff营业收入', 'utf16le'), '营业收入'],
    ['UTF-16 without a mark', Buffer.from('Revenue 1,000\n营业', 'utf16le'), 'Revenue 1,000\n营业'],
    ['GBK', gbk, new TextDecoder('gb18030').decode(gbk)],
    ['Big5', big5, '中國的營業收入是'],
    ['Windows-1252', Buffer.from('Ger\xe4te f\xfcr M\xfcnchen, \x80 5', 'latin1'), 'Geräte für München, € 5'],
  ])('is read as %s', async (_, bytes, text) => {
    expect(await textOf(bytes, 'a.txt')).toBe(text)
  })
  it('recognises Markdown by its name and returns it unchanged', async () => {
    const document = await read('| a | b |\n|---|---|\n| 1 | 2 |\n', 'report.md')
    expect(document).toMatchObject({ format: 'markdown', problem: null })
    expect(document.pages[0]?.text).toContain('| 1 | 2 |')
  })
  const guide = '<div>Guide</div>\n\nA `<template>` and `<svg>` are kept.\n\n<p>See `<nav>`.</p>\n'
  it.each([
    ['guide.md', guide, 'markdown'],
    ['GUIDE.Markdown', guide, 'markdown'],
    ['readmes.txt', `<p align="center">One</p>\n${'A line of text. '.repeat(6_000)}\n<script>kept`, 'text'],
    ['late.txt', `<!-- a note -->\n${guide}<html><body>an example</body></html>`, 'text'],
    ['names.csv', '<body>,<p>\n1,2\n', 'text'],
  ])('named %s is returned unchanged when it begins with an HTML tag', async (name, text, format) => {
    const document = await read(text, name)
    expect(document).toMatchObject({ format, problem: null })
    expect(joinPages(document.pages)).toBe(text)
  })
  it.each([
    ['<!DOCTYPE html><p>One &amp; two', 'page.txt'],
    [
      '\ufeff\n<!-- saved --> <!-- twice -->\n<html lang="en"><body><p>One &amp; two</p></body></html>',
      'page.md',
    ],
    ['<?xml version="1.0"?>\n<!doctype HTML PUBLIC "x"><html><body>One &amp; two</body></html>', 'page.txt'],
  ])('is a page of HTML when it begins as one, whatever its name: %s', async (html, name) => {
    const document = await read(html, name)
    expect(document.format).toBe('html')
    expect(joinPages(document.pages)).toBe('One & two')
  })
  it.each(['part.html', 'part.htm', 'part', 'part.pdf'])(
    'is HTML when a part of a page is named %s',
    async name => {
      expect(await textOf('<div>One &amp; two</div><p>three</p>', name)).toBe('One & two\n\nthree')
    },
  )
  it.each([
    ['a PNG image', Buffer.from('89504e470d0a1a0a00', 'hex'), /PNG image/],
    ['bytes with zeros in no pattern', Buffer.from([1, 0, 0, 200, 7, 0, 3, 9, 0, 0, 0]), /neither text/],
    ['white space alone', Buffer.from(' \n\t\n'), /^empty/],
    ['a damaged Word file', Buffer.from('PK\x03\x04 word/document.xml and nothing more'), /^damaged/],
    ['a zip without a document', Buffer.from('PK\x03\x04nothing'), /zip archive/],
  ])('is not made of %s', async (_, bytes, problem) => {
    expect((await read(bytes)).problem).toMatch(problem)
  })
})

describe('cached texts', () => {
  it('are read from disk by another reader under any file name', async () => {
    const bytes = smallPdf([[{ x: 50, y: 700, text: 'Kept' }]])
    await read(bytes, 'a.pdf')
    const second = createDocumentReader({
      cacheFolder: folder,
      pdfPool: {
        read: () => Promise.reject(new Error('read again')),
        close: async () => {},
      },
    })
    expect(joinPages((await second.read(bytes, 'b.pdf')).pages)).toBe('Kept')
  })

  it('differ for the same bytes as a text and as a part of a page', async () => {
    const bytes = Buffer.from('<div>One &amp; two</div>')
    const names = ['same.html', 'same.txt', 'same.html', 'same.txt']
    const texts = ['One & two', '<div>One &amp; two</div>', 'One & two', '<div>One &amp; two</div>']
    expect(await Promise.all(names.map(name => textOf(bytes, name)))).toEqual(texts)
    const second = createDocumentReader({ cacheFolder: folder })
    const again = names.map(async name => joinPages((await second.read(bytes, name)).pages))
    expect(await Promise.all(again)).toEqual(texts)
  })

  it('are extracted again when the file on disk was damaged', async () => {
    const bytes = Buffer.from('Some plain text to keep')
    const { sha256 } = await read(bytes)
    const place = join(folder, sha256.slice(0, 2))
    for (const name of readdirSync(place)) writeFileSync(join(place, name), '{"sha')
    expect(await textOf(bytes)).toBe('Some plain text to keep')
  })

  it('are extracted once for callers at the same time', async () => {
    let reads = 0
    const counting = createDocumentReader({
      cacheFolder: mkdtempSync(join(folder, 'once-')),
      pdfPool: {
        read: async () => {
          reads++
          return { pages: [{ number: 1, text: 'x', state: 'text' }], refused: null, lost: [] }
        },
        close: async () => {},
      },
    })
    const bytes = smallPdf([[]])
    await Promise.all([1, 2, 3].map(() => counting.read(bytes, 'x')))
    expect(reads).toBe(1)
  })

  it('reject immediately for a caller that cancels', async () => {
    const controller = new AbortController()
    const waiting = reader.read(smallPdf([[{ x: 1, y: 1, text: 'slow' }]]), 'x', controller.signal)
    controller.abort(new Error('cancelled'))
    await expect(waiting).rejects.toThrow('cancelled')
  })
})
