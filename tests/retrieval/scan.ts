import { openForRendering } from '../../retrieval/ocr/render-pages.ts'
import { loadPdfium } from '../../retrieval/pdf/pdfium.ts'
import { type Drawn, smallPdf } from './small-pdf.ts'

/** Returns the content of a page for `smallPdf`: the lines as an image, without text. */
export async function scanOf(lines: readonly string[]): Promise<string> {
  return await scanOfTexts(lines.map((text, at) => ({ x: 72, y: 700 - at * 30, text })))
}

/** Returns the content of a page for `smallPdf`: the texts as an image, without text. */
export async function scanOfTexts(drawn: readonly Drawn[]): Promise<string> {
  const rendered = openForRendering(await loadPdfium(), smallPdf([drawn]))(1)
  const image = Buffer.from(rendered.image!)
  const head = /^P5\n(\d+) (\d+)\n255\n/.exec(image.toString('latin1', 0, 40))!
  const [width, height] = [Number(head[1]), Number(head[2])]
  // Every second pixel gives 150 dots per inch, as many scanners write.
  const half: number[] = []
  for (let row = 0; row + 1 < height; row += 2)
    for (let column = 0; column + 1 < width; column += 2)
      half.push(image[head[0].length + row * width + column]!)
  const size = `/W ${Math.floor(width / 2)} /H ${Math.floor(height / 2)}`
  const hex = Buffer.from(half).toString('hex')
  return `q 612 0 0 792 0 0 cm BI ${size} /CS /G /BPC 8 /F /AHx ID ${hex}> EI Q\n`
}
