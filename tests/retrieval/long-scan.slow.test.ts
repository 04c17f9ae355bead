import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { findTesseract } from '../../retrieval/ocr/tesseract.ts'
import { longScan, pageNumbers, revenueOn } from './long-scan.ts'

function hasTesseract(): boolean {
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const withTesseract = hasTesseract()

it.skipIf(!withTesseract)(
  `reads a scan of 12 pages whole with tesseract${withTesseract ? '' : ' (skipped: tesseract is not installed)'}`,
  async () => {
    const cache = await mkdtemp(join(tmpdir(), 'tablehunt-scan-'))
    const reader = createDocumentReader({
      cacheFolder: join(cache, 'documents'),
      ocr: () => findTesseract(join(cache, 'ocr')),
    })
    const document = await reader.read(await longScan(), 'scan.pdf')
    await reader.close()
    expect(document.problem).toBeNull()
    expect(document.pages.map(page => page.text)).toEqual(
      pageNumbers.map(page => expect.stringContaining(revenueOn(page))),
    )
  },
)
