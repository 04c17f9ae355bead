import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { type RenderedPage, renderPages } from '../../retrieval/ocr/render-pages.ts'
import { findTesseract } from '../../retrieval/ocr/tesseract.ts'
import { loadPdfium } from '../../retrieval/pdf/pdfium.ts'
import { scannedPage, smallPdf } from './small-pdf.ts'

const lines = ['Elm Holdings annual report', 'Revenue 4512137', 'Net income 613902']

/** A page of those lines as a picture of itself: every other pixel of its rendering. */
async function scan(): Promise<string> {
  const drawn = lines.map((text, at) => ({ x: 72, y: 700 - at * 30, text }))
  const rendered: RenderedPage[] = []
  const request = { bytes: smallPdf([drawn]), pages: [1] }
  renderPages(await loadPdfium(), request, page => rendered.push(page))
  const image = Buffer.from(rendered[0]!.image!)
  const head = /^P5\n(\d+) (\d+)\n255\n/.exec(image.toString('latin1', 0, 40))!
  const [width, height] = [Number(head[1]), Number(head[2])]
  const half: number[] = []
  for (let row = 0; row + 1 < height; row += 2)
    for (let column = 0; column + 1 < width; column += 2)
      half.push(image[head[0].length + row * width + column]!)
  const size = `/W ${Math.floor(width / 2)} /H ${Math.floor(height / 2)}`
  const hex = Buffer.from(half).toString('hex')
  return `q 612 0 0 792 0 0 cm BI ${size} /CS /G /BPC 8 /F /AHx ID ${hex}> EI Q\n`
}

function hasTesseract(): boolean {
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const here = hasTesseract()
const without = here ? '' : ' (skipped: no tesseract on this machine)'

const folder = () => mkdtemp(join(tmpdir(), 'tablehunt-ocr-'))

describe.skipIf(!here)(`a scanned page, where tesseract is${without}`, () => {
  it('is read off its image, marked so, and kept by the hash of the image', async () => {
    const cache = await folder()
    const bytes = smallPdf([await scan(), [{ x: 72, y: 700, text: 'A page with text' }]])
    const read = async (texts: string) => {
      const reader = createDocumentReader({
        cacheFolder: join(cache, texts),
        ocr: () => findTesseract(join(cache, 'ocr')),
      })
      const document = await reader.read(bytes, 'scan.pdf')
      await reader.close()
      return document
    }
    const document = await read('first')
    expect(document.problem).toBeNull()
    expect(document.pages.map(page => page.ocr)).toEqual([true, false])
    for (const line of lines) expect(document.pages[0]!.text).toContain(line)
    expect(document.reader).toContain('tesseract')
    expect(await readdir(join(cache, 'ocr'))).toHaveLength(1)
    expect(await read('second')).toEqual(document)
    expect(await readdir(join(cache, 'ocr'))).toHaveLength(1)
  }, 120_000)
})

describe('a scanned page without tesseract', () => {
  it('is named in the problem, with how to have it read', async () => {
    const cache = await folder()
    const reader = createDocumentReader({
      cacheFolder: cache,
      ocr: () => findTesseract(cache, 'no-such-program-as-tesseract'),
    })
    const document = await reader.read(smallPdf([[{ x: 9, y: 9, text: 'x1' }], scannedPage]), 'scan.pdf')
    await reader.close()
    expect(document.problem).toMatch(/no text on page 2 .*tesseract-ocr/)
    expect(document.pages.map(page => page.ocr)).toEqual([false, false])
  }, 60_000)
})
