import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { renderedPages } from '../../retrieval/ocr/rendering.ts'
import { findTesseract } from '../../retrieval/ocr/tesseract.ts'
import { scanOf } from './scan.ts'
import { smallPdf } from './small-pdf.ts'

const pageNumbers = Array.from({ length: 12 }, (_, at) => at + 1)
const revenueOn = (page: number): string => `Revenue ${4_512_100 + page * 7}`

function hasTesseract(): boolean {
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const withTesseract = hasTesseract()

describe('a scan of 12 pages', () => {
  let scan: Buffer
  beforeAll(async () => {
    const pages: string[] = []
    for (const page of pageNumbers) pages.push(await scanOf([`Elm Holdings, page ${page}`, revenueOn(page)]))
    scan = smallPdf(pages)
  }, 60_000)

  it('is rendered page by page without losing one', async () => {
    const images = new Set<string>()
    const numbers: number[] = []
    for await (const { number, image, late } of renderedPages(scan, pageNumbers)) {
      expect(late).toBe(false)
      numbers.push(number)
      images.add(Buffer.from(image!).toString('latin1'))
    }
    expect(numbers).toEqual(pageNumbers)
    expect(images.size).toBe(12)
  }, 60_000)

  it.skipIf(!withTesseract)(
    `is read whole by tesseract${withTesseract ? '' : ' (skipped: tesseract is not installed)'}`,
    async () => {
      const cache = await mkdtemp(join(tmpdir(), 'tablehunt-scan-'))
      const reader = createDocumentReader({
        cacheFolder: join(cache, 'documents'),
        ocr: () => findTesseract(join(cache, 'ocr')),
      })
      const document = await reader.read(scan, 'scan.pdf')
      await reader.close()
      expect(document.problem).toBeNull()
      expect(document.pages.map(page => page.text)).toEqual(
        pageNumbers.map(page => expect.stringContaining(revenueOn(page))),
      )
    },
    120_000,
  )
})
