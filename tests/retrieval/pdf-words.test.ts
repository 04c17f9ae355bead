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

/** A Chinese, Japanese or Korean font that is not in the file. */
const absentFont = (encoding: string, ordering: string) => ({
  fonts: '/F2 6 0 R',
  objects: [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Absent /Encoding /${encoding} /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Absent /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 8 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Absent /Flags 32 /FontBBox [0 -141 1000 859] /ItalicAngle 0 /Ascent 859 /Descent -141 /CapHeight 683 /StemV 80 >>',
  ],
})

// The codes are those of the encodings: 净利润, 淨利潤 and so on, then 128.
describe('text in fonts that are not embedded', () => {
  const cases: [string, string, string[], string][] = [
    ['GBK-EUC-H', 'GB1', ['bebb', 'c0fb', 'c8f3', '313238'], '净利润128'],
    ['UniGB-UCS2-H', 'GB1', ['51c0', '5229', '6da6', '003100320038'], '净利润128'],
    ['ETen-B5-H', 'CNS1', ['b262', 'a751', 'bced', '313238'], '淨利潤128'],
    ['90ms-RKSJ-H', 'Japan1', ['8f83', '9798', '8976', '313238'], '純利益128'],
    ['KSCms-UHC-H', 'Korea1', ['bcf8', 'c0cc', 'c0cd', '313238'], '순이익128'],
  ]
  it.each(cases)(
    'is read in %s of %s, also when each character is drawn alone',
    async (encoding, ordering, codes, text) => {
      const alone = codes.map((code, at) => `BT /F2 10 Tf ${50 + 10 * at} 700 Td <${code}> Tj ET`).join('\n')
      const together = `BT /F2 10 Tf 50 650 Td <${codes.join('')}> Tj ET`
      const bytes = smallPdf([`${alone}\n${together}`], absentFont(encoding, ordering))
      expect(joinPages((await reader.read(bytes, 'absent.pdf')).pages)).toBe(`${text}\n${text}`)
    },
  )

  it('stays together when it is written downwards with figures', async () => {
    const drawn = 'BT /F2 14 Tf 60 700 Td <bebbc0fbc8f3313238cdf2> Tj ET'
    const bytes = smallPdf([drawn], absentFont('GBK-EUC-V', 'GB1'))
    expect(joinPages((await reader.read(bytes, 'down.pdf')).pages)).toBe('净利润128万')
  })
})

describe('a space of its own that is drawn under the next character', () => {
  it.each([
    ['was', 17.78, '4', '06,870,893.'],
    ['and', 16.68, '3', '9%'],
    ['Note 9,', 32.24, 'R', 'elated Parties'],
    ['of', 8.34, '$', '540 million'],
  ])('separates %s', async (before, width, character, rest) => {
    const end = 50 + width
    const after = end - 0.5 + (character === 'R' ? 7.22 : 5.56)
    const drawn = await textOf([50, before], [end, ' '], [end - 0.5, character], [after, rest])
    expect(drawn).toBe(`${before} ${character}${rest}`)
  })
})
