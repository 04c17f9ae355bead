import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { joinPages } from '../../src/core/document.ts'
import { smallPdf, streamOf } from './small-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'glyphs-'))
const reader = createDocumentReader({ cacheFolder: folder })

afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = async (bytes: Uint8Array) => await reader.read(bytes, 'file.pdf')
const textOf = async (bytes: Uint8Array) => joinPages((await read(bytes)).pages)

/** A bitmap font without a name, as TeX writes them: codes 0 to 127, half an em wide, in object 6. */
const bitmapFont = [
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0]
    /CharProcs << /g 7 0 R >> /FirstChar 0 /LastChar 127 /Widths [${'500 '.repeat(128)}]
    /Encoding << /Type /Encoding /Differences [0 ${'/g '.repeat(32)}] >> /Resources << >> >>`,
  streamOf('', '500 0 0 0 500 700 d1 0 0 400 600 re f'),
]
const bitmapPage = (operators: string): Uint8Array =>
  smallPdf([operators], { fonts: '/F2 6 0 R', objects: bitmapFont })

/** Returns a PDF with one page on which annotations show texts: `[x, y, text, flags]`. */
function annotated(page: string, shown: readonly (readonly [number, number, string, number])[]): Uint8Array {
  const numbers = shown.map((_, index) => 6 + 2 * index)
  const objects = shown.flatMap(([x, y, text, flags], index) => [
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field${index}) /V (${text}) /F ${flags} /Rect [${x} ${y - 4} ${x + 150} ${y + 14}]
      /AP << /N ${7 + 2 * index} 0 R >> >>`,
    streamOf(
      '/Type /XObject /Subtype /Form /BBox [0 0 150 18] /Resources << /Font << /F1 3 0 R >> >>',
      `/Tx BMC BT /F1 10 Tf 2 4 Td (${text}) Tj ET EMC`,
    ),
  ])
  const list = numbers.map(number => `${number} 0 R`).join(' ')
  return smallPdf([page], { objects, pageEntries: `/Annots [${list}]` })
}

describe('unmapped glyphs', () => {
  it('keep numbers separate and signs in place', async () => {
    const text = await textOf(smallPdf(['BT /F1 10 Tf 50 700 Td (3.38\\0244.71 and \\0245) Tj ET']))
    expect(text).toBe('3.38\ufffd4.71 and \ufffd5')
  })

  it('become ligatures and dashes in bitmap fonts of TeX', async () => {
    const text = await textOf(bitmapPage('BT /F2 10 Tf 50 700 Td (di\\033erent: 0\\0251, \\0005) Tj ET'))
    expect(text).toBe('different: 0–1, \ufffd5')
  })

  it('send a page without other text to optical character recognition', async () => {
    const document = await read(bitmapPage('BT /F2 10 Tf 50 700 Td (\\001\\002\\003) Tj ET'))
    expect(document.problem).toMatch(/^scanned: no text on page 1/)
  })
})

describe('numbers along an axis', () => {
  it('have lines of their own in any drawing order', async () => {
    const axis = (ys: readonly number[]) =>
      smallPdf([ys.map((y, index) => ({ x: 50, y, text: String(index * 2) }))])
    expect(await textOf(axis([100, 150, 200, 250]))).toBe('0\n2\n4\n6')
    expect(await textOf(axis([250, 200, 150, 100]))).toBe('0\n2\n4\n6')
  })
})

/** Dense rows of short texts, which PDFium treats as vertical writing. */
const column = (x: number) =>
  Array.from({ length: 70 }, (_, row) => ({ x, y: 690 - 8 * row, text: `${row}` }))

describe('a page that PDFium treats as vertical writing', () => {
  it('separates numbers that are close above each other', async () => {
    const text = await textOf(smallPdf([column(500)]))
    expect(text.split('\n').slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, row) => `${row}`))
  })

  it('keeps Chinese words whole when their characters were drawn one by one', async () => {
    const title = '合并利润表'
    const hex = (at: number): string => title.charCodeAt(at).toString(16).padStart(4, '0')
    const map = [...title].map((_, at) => `<${(65 + at).toString(16)}> <${hex(at)}>`).join(' ')
    const font = [
      `<< /Type /Font /Subtype /Type3 /Name /F2 /FontBBox [0 0 1000 880] /FontMatrix [0.001 0 0 0.001 0 0]
        /CharProcs << /g 7 0 R >> /FirstChar 65 /LastChar 69 /Widths [${'1000 '.repeat(5)}] /ToUnicode 8 0 R
        /Encoding << /Type /Encoding /Differences [65 ${'/g '.repeat(5)}] >> /Resources << >> >>`,
      streamOf('', '1000 0 0 0 1000 880 d1 0 0 900 800 re f'),
      streamOf(
        '',
        `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 5 beginbfchar ${map} endbfchar`,
      ),
    ]
    const heading = `BT /F2 12 Tf 30 730 Td ${[...'ABCDE'].map(code => `(${code}) Tj 12.3 0 Td`).join(' ')} ET`
    const rows = [...column(200), ...column(500)].map(
      ({ x, y, text }) => `BT /F1 8 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`,
    )
    const page = smallPdf([[heading, ...rows].join('\n')], { fonts: '/F2 6 0 R', objects: font })
    expect((await textOf(page)).split('\n').slice(0, 3)).toEqual([title, '0\t0', '1\t1'])
  })
})

describe('form fields', () => {
  it('show their values beside the labels at the same height', async () => {
    const page = 'BT /F1 10 Tf 50 700 Td (Total income) Tj 0 -40 Td (Signature) Tj ET'
    const text = await textOf(
      annotated(page, [
        [200, 658, 'A. Doe', 4],
        [200, 699, '-1,234.50', 4],
        [200, 678, 'no label', 4],
        [200, 600, 'hidden', 2],
      ]),
    )
    expect(text).toBe('Total income\t-1,234.50\nno label\nSignature\tA. Doe')
  })

  it('are read when the page itself is empty', async () => {
    const document = await read(annotated('', [[200, 700, '42', 4]]))
    expect(joinPages(document.pages)).toBe('42')
    expect(document.problem).toBeNull()
  })

  it('do not change that a page is scanned', async () => {
    const image = 'q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 80> EI Q'
    const document = await read(annotated(image, [[200, 700, 'Received', 4]]))
    expect(document.problem).toMatch(/^scanned: no text on page 1/)
  })
})

describe('checkboxes and radio buttons', () => {
  /** A page with boxes before labels: `[y, label, state, flags]`. Their appearances are drawings. */
  function formWith(
    boxes: readonly (readonly [number, string, string, number])[],
    field: string,
  ): Uint8Array {
    const drawing = '/Type /XObject /Subtype /Form /BBox [0 0 10 10]'
    const objects = [
      streamOf(drawing, '0 0 10 10 re S 2 2 m 8 8 l S'),
      streamOf(drawing, '0 0 10 10 re S'),
      ...boxes.map(
        ([y, , state, flags], at) =>
          `<< /Type /Annot /Subtype /Widget ${field} /T (box${at}) /AS /${state} /V /${state} /F ${flags}
            /Rect [50 ${y - 2} 60 ${y + 8}] /AP << /N << /Yes 6 0 R /Off 7 0 R >> >> >>`,
      ),
    ]
    const numbers = boxes.map((_, at) => `${8 + at} 0 R`).join(' ')
    return smallPdf([boxes.map(([y, text]) => ({ x: 66, y, text }))], {
      objects,
      pageEntries: `/Annots [${numbers}]`,
      catalogEntries: `/AcroForm << /Fields [${numbers}] >>`,
    })
  }

  it.each([
    ['checkboxes', '/FT /Btn'],
    ['radio buttons', '/FT /Btn /Ff 49152'],
  ])('%s show their state beside their labels', async (_what, field) => {
    const text = await textOf(
      formWith(
        [
          [700, 'Yes', 'Yes', 4],
          [670, 'No', 'Off', 4],
        ],
        field,
      ),
    )
    expect(text.replaceAll('\t', ' ')).toBe('☒ Yes\n☐ No')
  })

  it('are left out when they are hidden', async () => {
    expect(await textOf(formWith([[700, 'Yes', 'Yes', 2]], '/FT /Btn'))).toBe('Yes')
  })
})
