import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import PdfDocument from 'pdfkit'
import { seededRandom } from '../../src/core/runtime.ts'

const [linesPerPage, wordsPerLine] = [48, 11]
const words =
  'the agreement lender borrower shall interest rate of period date amount under section and notice payment'.split(
    ' ',
  )

/** Writes a PDF of generated prose. The pages of a shorter PDF are the first pages of a longer one. */
export async function writeLongPdf(file: string, pages: number): Promise<void> {
  const random = seededRandom(20_261_126)
  const pdf = new PdfDocument({ autoFirstPage: false, size: 'A4' })
  const written = pipeline(pdf, createWriteStream(file))
  for (let page = 1; page <= pages; page++) {
    pdf.addPage().font('Times-Roman').fontSize(10)
    for (let line = 0; line < linesPerPage; line++) {
      const text = Array.from({ length: wordsPerLine }, () => words[Math.floor(random() * words.length)])
      pdf.text(`${page}.${line} ${text.join(' ')}`, 60, 60 + line * 14, { lineBreak: false })
    }
  }
  pdf.end()
  await written
}
