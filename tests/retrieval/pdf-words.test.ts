import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { joinPages } from '../../src/core/document.ts'
import { smallPdf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'words-'))
const reader = createDocumentReader({ cacheFolder: folder })

afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Draws texts as objects of their own, at the given distances from the left edge. */
const textOf = async (...texts: readonly (readonly [x: number, text: string])[]): Promise<string> => {
  const operators = texts.map(([x, text]) => `BT /F1 10 Tf ${x} 700 Td (${text}) Tj ET`).join(' ')
  return joinPages((await reader.read(smallPdf([operators]), 'file.pdf')).pages)
}

// In Helvetica at 10 points, `its` is 10 points wide and `SONIA` is 31.12 points wide.
describe('words of justified text', () => {
  it('are separated by a narrow space that the page draws', async () => {
    expect(await textOf([50, 'its'], [60, ' '], [60.25, 'three'])).toBe('its three')
  })

  it('stay together where the page draws no space', async () => {
    expect(await textOf([50, 'its'], [60.25, 'elf'])).toBe('itself')
  })

  it('are separated by a gap that is wider than the spacing of their letters', async () => {
    expect(await textOf([50, 'SONIA'], [82.3, 'Advance'])).toBe('SONIA Advance')
  })

  it('stay together when all letters are spaced', async () => {
    const spaced = '1.5 Tc (SUMMARY) Tj'
    const bytes = smallPdf([`BT /F1 10 Tf 50 700 Td ${spaced} ET`])
    expect(joinPages((await reader.read(bytes, 'spaced.pdf')).pages)).toBe('SUMMARY')
  })
})
