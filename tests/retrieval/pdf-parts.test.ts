import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { joinPages } from '../../src/core/document.ts'
import { type SmallPdfOptions, smallPdf, streamOf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'parts-'))
const reader = createDocumentReader({ cacheFolder: folder })

afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const textOf = async (content: string, options: SmallPdfOptions = {}): Promise<string> =>
  joinPages((await reader.read(smallPdf([content], options), 'file.pdf')).pages)

/** Draws text with a font size, at a distance from the left edge and a height. */
const draw = (size: number, x: number, y: number, text: string): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`

describe('raised and lowered text', () => {
  // In Helvetica at 10 points, a digit is 5.56 points wide.
  it.each([
    [
      'a figure',
      draw(10, 50, 700, '$320') + draw(6, 72.24, 704, '1') + draw(10, 75.6, 700, ' million'),
      '$320¹ million',
    ],
    [
      'a letter',
      draw(10, 50, 700, '56') + draw(6, 61.12, 704, 'b') + draw(10, 64.5, 700, ' rooms'),
      '56^b rooms',
    ],
    ['two marks', draw(10, 50, 700, '1,977') + draw(6, 75.02, 703.5, '2,3'), '1,977²,³'],
    ['a power in the size of its line', draw(10, 50, 700, '10') + draw(10, 61.12, 704, '6'), '10⁶'],
    [
      'a text rise',
      `BT /F1 10 Tf 50 700 Td (75) Tj 4 Ts /F1 6 Tf (3) Tj 0 Ts /F1 10 Tf ( beds) Tj ET`,
      '75³ beds',
    ],
    ['an index', draw(10, 50, 700, '110') + draw(6, 66.68, 698, '2'), '110₂'],
    ['the mark of a footnote', draw(6, 50, 704, '1') + draw(10, 53.4, 700, '2019 figures'), '¹2019 figures'],
    [
      'an ordinal',
      draw(10, 50, 700, '1') + draw(6, 55.56, 704, 'st') + draw(10, 61, 700, ' place'),
      '1st place',
    ],
    ['a formula', draw(10, 50, 700, 'CO') + draw(6, 65, 698, '2'), 'CO2'],
  ])('never joins a number: %s', async (_, content, text) => {
    expect(await textOf(content)).toBe(text)
  })

  it('is not assumed of smaller type on the same baseline, or of another column', async () => {
    expect(await textOf(draw(10, 50, 700, 'Beds 12') + draw(8, 90, 700, '345'))).toBe('Beds 12 345')
    expect(await textOf(draw(12, 50, 700, 'Total') + draw(8, 140, 702, '1,234'))).toBe('Total\t1,234')
  })
})

describe('narrow columns', () => {
  it.each([
    ['16,782 156.6', draw(10, 50, 700, '16,782') + draw(10, 87, 700, '156.6'), '16,782\t156.6'],
    ['with signs', draw(10, 50, 700, '12%') + draw(10, 77, 700, '-3'), '12%\t-3'],
    ['groups of one number', draw(10, 50, 700, '12 345 678'), '12 345 678'],
  ])('separate numbers: %s', async (_, content, text) => {
    expect(await textOf(content)).toBe(text)
  })
})

describe('what a page does not show', () => {
  it('is left out: text outside the crop box', async () => {
    const content = draw(10, 100, 700, 'shown') + draw(10, 100, 100, 'below') + draw(10, 560, 700, 'beside')
    expect(await textOf(content, { pageEntries: '/CropBox [50 400 500 760]' })).toBe('shown')
  })

  it('is read once: type drawn twice to look bold', async () => {
    const bold = draw(10, 50, 700, 'Total 77') + draw(10, 50.3, 700, 'Total 77')
    expect(await textOf(bold)).toBe('Total 77')
  })
})

describe('link targets and embedded files', () => {
  const link = (url: string): SmallPdfOptions => ({
    objects: [`<< /Type /Annot /Subtype /Link /Rect [49 695 120 712] /A << /S /URI /URI (${url}) >> >>`],
    pageEntries: '/Annots [6 0 R]',
  })

  it('are listed below the page', async () => {
    const text = await textOf(draw(10, 50, 700, 'data file'), link('https://example.org/data.csv'))
    expect(text).toBe('data file\nLink: data file <https://example.org/data.csv>')
  })

  it('are not repeated when the page prints the address', async () => {
    expect(await textOf(draw(10, 50, 700, 'www.example.org/a'), link('https://www.example.org/a'))).toBe(
      'www.example.org/a',
    )
    expect(await textOf(draw(10, 50, 700, 'Write'), link('mailto:a@example.org'))).toBe('Write')
  })
})

describe('the header of a PDF', () => {
  const format = async (bytes: Uint8Array): Promise<string> => (await reader.read(bytes, 'file')).format
  const pdf = smallPdf([draw(10, 50, 700, 'Beds 12')])

  it.each([
    ['a title', '<!doctype html><title>%PDF-1.7 explained</title><p>Beds 12</p>', 'html'],
    ['a note', 'A file starts with %PDF-1.4 and a comment.\n', 'text'],
    ['a fragment of a page', '<p>The header is\n%PDF-1.4\n</p><div>Beds</div>', 'html'],
  ])('is not a mention in %s', async (_, text, expected) => {
    expect(await format(Buffer.from(text))).toBe(expected)
  })

  it.each([
    ['white space', ' \r\n'],
    ['a byte order mark', '\u00ef\u00bb\u00bf'],
    ['a header of a mail', 'Content-Type: application/pdf\r\n\r\n'],
    ['other bytes', '\u0001\u0002junk'],
  ])('may follow %s', async (_, before) => {
    expect(await format(Buffer.concat([Buffer.from(before, 'latin1'), pdf]))).toBe('pdf')
  })
})

describe('layers', () => {
  it('are read only when they are on', async () => {
    const bytes = smallPdf(
      [
        `/OC /On BDC ${draw(10, 50, 700, '12 beds')} EMC /OC /Off BDC ${draw(10, 50, 680, '99 beds draft')} EMC`,
      ],
      {
        pageEntries: '/Group << /S /Transparency >>',
        objects: [streamOf('', ''), '<< /Type /OCG /Name (final) >>', '<< /Type /OCG /Name (draft) >>'],
      },
    )
    const withLayers = Buffer.from(
      bytes
        .toString('latin1')
        .replace(
          '/Type /Catalog',
          '/Type /Catalog /OCProperties << /OCGs [7 0 R 8 0 R] /D << /OFF [8 0 R] >> >>',
        )
        .replace('/Resources << /Font', '/Resources << /Properties << /On 7 0 R /Off 8 0 R >> /Font'),
      'latin1',
    )
    expect(joinPages((await reader.read(withLayers, 'layers.pdf')).pages)).toBe('12 beds')
  })
})
