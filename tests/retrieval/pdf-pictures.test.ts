import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import type { PageOcr } from '../../retrieval/read-document.ts'
import type { DocumentText } from '../../src/core/document.ts'
import { scannedPage, smallPdf, streamOf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
const alone = createDocumentReader({ cacheFolder: join(folder, 'alone') })

afterAll(async () => {
  await alone.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Reads a page with a program that recognises the given text. */
async function readWithOcr(bytes: Buffer, name: string, text: string): Promise<DocumentText> {
  const ocr: PageOcr = {
    name,
    read: async (_bytes, pages) => ({ texts: new Map(pages.map(page => [page, text])), late: [] }),
  }
  const reader = createDocumentReader({ cacheFolder: join(folder, name), ocr })
  const document = await reader.read(bytes, 'page.pdf')
  await reader.close()
  return document
}

const stamp = 'BT /F1 10 Tf 50 20 Td (Downloaded on 12 March 2024, page 3 of 12) Tj ET'
const picture = (width: number, height: number) =>
  `q ${width} 0 0 ${height} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 80> EI Q\n`
const onlyPart = /^scanned: only a part of the text on page 1 \(install tesseract/

describe('a page that is a picture with little text', () => {
  it.each([
    ['one picture over the page', scannedPage],
    ['one picture over two thirds of it', picture(612, 528)],
    ['strips of a scan', Array.from({ length: 8 }, () => picture(612, 99)).join('')],
  ])('is named without a program that reads pictures: %s', async (_what, pictures) => {
    const document = await alone.read(smallPdf([pictures + stamp]), 'page.pdf')
    expect(document.problem).toMatch(onlyPart)
    expect(document.pages[0]?.text).toBe('Downloaded on 12 March 2024, page 3 of 12')
  })

  it('is named when the picture is in a form', async () => {
    const form = streamOf('/Type /XObject /Subtype /Form /BBox [0 0 612 792]', scannedPage)
    const options = { pageEntries: '', objects: [form], fonts: '>> /XObject << /X1 6 0 R' }
    const document = await alone.read(smallPdf([`/X1 Do ${stamp}`], options), 'form.pdf')
    expect(document.problem).toMatch(onlyPart)
  })

  it('has the recognised text', async () => {
    const text = 'Revenue 4,512\nDownloaded on 12 March 2024, page 3 of 12'
    const document = await readWithOcr(smallPdf([scannedPage + stamp]), 'reads', text)
    expect(document.problem).toBeNull()
    expect(document.pages).toEqual([{ number: 1, text, ocr: true }])
  })

  it('keeps its text when no more is recognised', async () => {
    const document = await readWithOcr(smallPdf([scannedPage + stamp]), 'fewer', 'Downl0aded')
    expect(document.problem).toBeNull()
    expect(document.pages[0]).toMatchObject({ ocr: false, text: 'Downloaded on 12 March 2024, page 3 of 12' })
  })
})

describe('a page with a picture and text', () => {
  const prose = 'The company sold 4,512 turbines, more than ever before. '.repeat(4)
  it.each([
    ['prose over a picture', `${scannedPage}BT /F1 8 Tf 10 700 Td (${prose}) Tj ET`],
    ['a logo beside a short text', picture(200, 200) + stamp],
    ['no picture', stamp],
  ])('is read as text: %s', async (_what, content) => {
    const document = await alone.read(smallPdf([content]), 'page.pdf')
    expect(document.problem).toBeNull()
    expect(document.pages[0]?.ocr).toBe(false)
  })
})

describe('a page with more unknown glyphs than letters', () => {
  it('is named, and its letters are kept', async () => {
    const drawn = 'BT /F1 10 Tf 50 700 Td (\\024\\024\\024\\024\\024\\024 Total) Tj ET'
    const document = await alone.read(smallPdf([drawn]), 'glyphs.pdf')
    expect(document.problem).toMatch(onlyPart)
    expect(document.pages[0]?.text).toContain('Total')
  })
})
