import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { readHtmlText } from '../../retrieval/html/html-text.ts'
import { writeRuns } from '../../retrieval/html/raised.ts'
import { joinPages } from '../../src/core/document.ts'
import { listNumberTokens } from '../../src/evidence/number-tokens.ts'
import { smallPdf, streamOf } from './small-pdf.ts'

describe('a fraction of a raised and a lowered number', () => {
  it.each([
    ['2<sup>1</sup>/<sub>4</sub> cups', '2 1/4 cups'],
    ['5<sup>1</sup>&frasl;<sub>2</sub> in', '5 1/2 in'],
    ['about <sup>1</sup>/<sub>2</sub> pound', 'about 1/2 pound'],
    ['11 <sup>15</sup>/<sub>16</sub>', '11 15/16'],
    ['7<span style="vertical-align: super">3</span>/<span style="vertical-align: sub">8</span>"', '7 3/8"'],
    ['10<sup>2</sup>/5', '10²/5'],
    ['x<sup>2</sup>/y<sub>3</sub>', 'x²/y3'],
    ['1,234<sup>2</sup>', '1,234²'],
  ])('of the page %s is read as %s', (html, text) => {
    expect(readHtmlText(`<p>${html}</p>`)).toBe(text)
  })

  it('is read in the runs of a cell', () => {
    const run = (text: string, look: 'raised' | 'lowered' | null) => ({
      text,
      raised: look === 'raised',
      lowered: look === 'lowered',
      struck: false,
    })
    expect(writeRuns([run('2', null), run('1', 'raised'), run('/', null), run('4', 'lowered')])).toBe('2 1/4')
    expect(writeRuns([run('10', null), run('2', 'raised'), run('/5', null)])).toBe('10²/5')
  })

  it.each([
    ['2 1/4 cups', 2.25],
    ['5½ in', 5.5],
    ['a loss of -3 3/4 points', -3.75],
  ])('is evidence in %s', (text, value) => {
    expect(listNumberTokens(text).map(token => token.value)).toContain(value)
  })
})

describe('a fraction in a PDF', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fractions-'))
  const reader = createDocumentReader({ cacheFolder: folder })
  afterAll(async () => {
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const textOf = async (bytes: Uint8Array) => joinPages((await reader.read(bytes, 'file.pdf')).pages)

  /** A font whose byte 0xBD is one glyph for several characters. */
  const fontOf = (utf16: string) => [
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>',
    streamOf(
      '',
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfchar <BD> <${utf16}> endbfchar 1 beginbfrange <20> <7E> <0020> endbfrange endcmap CMapName currentdict /CMap defineresource pop end end`,
    ),
  ]

  it.each([
    ['a half with a fraction stroke', '003120440032', '5½ inch'],
    ['a half with a slash', '0031002F0032', '5½ inch'],
    ['three quarters', '003320440034', '5¾ inch'],
    ['a fraction without a sign of its own', '003320440031 0036'.replace(' ', ''), '5 3⁄16 inch'],
  ])('of one glyph stays apart from the number before it: %s', async (_, utf16, text) => {
    const page = 'BT /F2 10 Tf 72 700 Td (5\\275 inch) Tj ET'
    expect(await textOf(smallPdf([page], { fonts: '/F2 6 0 R', objects: fontOf(utf16) }))).toBe(text)
  })

  it('is read when its numbers are set small and high, and small on the line', async () => {
    const shown = (x: number, y: number, size: number, text: string) =>
      `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`
    const page = [
      shown(72, 700, 12, 'Size 5'),
      shown(105.6, 705, 7, '1'),
      shown(109.5, 700, 12, '/'),
      shown(112.8, 699.5, 7, '16'),
      shown(122, 700, 12, 'inch'),
    ].join('\n')
    expect(await textOf(smallPdf([page]))).toBe('Size 5 1/16 inch')
  })
})

describe('text that a style sets apart', () => {
  it.each([
    ['<span style="display:block">A</span><span style="display:block">B</span>', 'A\n\nB'],
    ['<b style="DISPLAY : flex">A</b><b style="color:red;display:grid">B</b>', 'A\n\nB'],
    ['<a style="display:list-item">A</a><a style="display:table-cell">B</a>', 'A\n\nB'],
    ['<div style="display:inline">A</div><div style="display: inline !important">B</div>', 'AB'],
    ['<div style="display:inline-block">1</div><div style="display:inline-block">2</div>', '1\n\n2'],
    ['<span style="--display:block">A</span>B', 'AB'],
  ])('%s is read as %j', (html, text) => {
    expect(readHtmlText(html)).toBe(text)
  })

  it('is separated within the cell of a table', () => {
    const cell = '<span style="display:block">Alder</span><span style="display:block">Ulm</span>'
    expect(
      readHtmlText(`<table><tr><th>a</th><th>b</th></tr><tr><td>${cell}</td><td>1</td></tr></table>`),
    ).toContain('| Alder Ulm | 1 |')
  })
})
