import PDFDocument from 'pdfkit'
import { type Block, type DemoDocument, type TableBlock, textsOf } from './blocks.ts'
import { subsetFont } from './cjk-font.ts'

const margin = 64
const bodySize = 10
const tableSize = 9
const rowHeight = 17
/** The date of every document, so that equal input produces equal bytes. */
const createdAt = new Date('2024-04-30T00:00:00Z')

interface Writer {
  readonly pdf: PDFKit.PDFDocument
  readonly fonts: { readonly body: string; readonly bold: string }
  /** Whether bold text is drawn with an outline, because the font has no bold style. */
  readonly outlineBold: boolean
  readonly width: number
}

/** Renders a document as an A4 PDF with numbered pages and one line per table row. Equal input produces equal bytes. */
export async function renderPdf(document: DemoDocument, cjkFontPath: string): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: document.title, Author: document.author, CreationDate: createdAt, ModDate: createdAt },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>(resolve => pdf.on('end', resolve))
  const chinese = document.language === 'zh'
  if (chinese) pdf.registerFont('cjk', await subsetFont(cjkFontPath, textsOf(document)))
  const writer: Writer = {
    pdf,
    fonts: chinese ? { body: 'cjk', bold: 'cjk' } : { body: 'Times-Roman', bold: 'Times-Bold' },
    outlineBold: chinese,
    width: pdf.page.width - 2 * margin,
  }
  document.blocks.forEach((block, index) => {
    keepTogether(writer, heightWithTable(document.blocks, index))
    write(writer, block)
  })
  numberPages(writer, document.runningHead)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** Returns the height that a caption and its table need on one page. A long table may break after its first rows. */
function heightWithTable(blocks: readonly Block[], index: number): number {
  const block = blocks[index]
  switch (block?.kind) {
    case 'table':
      return Math.min(block.rows.length + 1, 12) * rowHeight
    case 'subheading':
    case 'note':
      return 25 + heightWithTable(blocks, index + 1)
    default:
      return 0
  }
}

function write(writer: Writer, block: Block): void {
  const { pdf, fonts } = writer
  switch (block.kind) {
    case 'title':
      pdf.moveDown(3)
      pdf.text(block.text, options(writer, { ...bold(writer, 20), align: 'center' }))
      pdf.moveDown(2).font(fonts.body).fontSize(12)
      for (const line of block.below) pdf.text(line, options(writer, { align: 'center' })).moveDown(0.5)
      pdf.moveDown(2)
      return
    case 'heading':
      keepTogether(writer, 60)
      pdf.moveDown(0.8)
      pdf.text(block.text, margin, pdf.y, options(writer, bold(writer, 13)))
      pdf.moveDown(0.5)
      return
    case 'subheading':
      pdf.text(block.text, margin, pdf.y, options(writer, bold(writer, 10.5)))
      pdf.moveDown(0.3)
      return
    case 'paragraph':
      pdf.font(fonts.body).fontSize(bodySize)
      pdf.text(block.text, margin, pdf.y, options(writer, { lineGap: 2.5, align: 'left' })).moveDown(0.6)
      return
    case 'note':
      pdf.font(fonts.body).fontSize(tableSize)
      pdf.text(block.text, margin, pdf.y, options(writer, { align: 'right' })).moveDown(0.3)
      return
    case 'table':
      writeTable(writer, block)
      return
    case 'page':
      pdf.addPage()
      return
    default:
      block satisfies never
  }
}

const options = (writer: Writer, more: PDFKit.Mixins.TextOptions): PDFKit.Mixins.TextOptions => ({
  width: writer.width,
  ...more,
})

/** Selects bold text and returns the further options that `text` needs. */
function bold({ pdf, fonts, outlineBold }: Writer, size: number): PDFKit.Mixins.TextOptions {
  pdf.font(fonts.bold).fontSize(size)
  if (!outlineBold) return {}
  pdf.lineWidth(size / 40)
  return { fill: true, stroke: true }
}

function keepTogether({ pdf }: Writer, height: number): void {
  if (pdf.y + height > pdf.page.height - margin) pdf.addPage()
}

function writeTable(writer: Writer, block: TableBlock): void {
  const { pdf } = writer
  writeRow(writer, block, block.header, true)
  rule(writer)
  block.rows.forEach((row, index) => {
    if (pdf.y + rowHeight > pdf.page.height - margin) {
      pdf.addPage()
      writeRow(writer, block, block.header, true)
      rule(writer)
    }
    writeRow(writer, block, row, block.bold.includes(index))
  })
  rule(writer)
  pdf.x = margin
  pdf.moveDown(0.8)
}

function writeRow(writer: Writer, block: TableBlock, row: readonly string[], isBold: boolean): void {
  const { pdf, fonts, width } = writer
  const total = block.widths.reduce((sum, share) => sum + share, 0)
  const top = pdf.y
  const emphasis = isBold ? bold(writer, tableSize) : {}
  if (!isBold) pdf.font(fonts.body).fontSize(tableSize)
  let left = margin
  block.widths.forEach((share, column) => {
    const cellWidth = (width * share) / total
    const text = row[column] ?? ''
    if (pdf.widthOfString(text) > cellWidth - 2) throw new Error(`too wide for its table cell: ${text}`)
    if (text !== '') {
      pdf.text(text, left, top + 5, {
        width: cellWidth,
        align: column === 0 ? 'left' : 'right',
        lineBreak: false,
        ...emphasis,
      })
    }
    left += cellWidth
  })
  pdf.y = top + rowHeight
}

function rule({ pdf, width }: Writer): void {
  pdf
    .lineWidth(0.5)
    .moveTo(margin, pdf.y)
    .lineTo(margin + width, pdf.y)
    .stroke()
}

function numberPages({ pdf, fonts, width }: Writer, runningHead: string): void {
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index)
    // With margins, a line this close to the edge would start a new page.
    pdf.page.margins = { top: 0, bottom: 0, left: margin, right: margin }
    pdf.font(fonts.body).fontSize(8)
    if (index > 0) pdf.text(runningHead, margin, 32, { width, align: 'center', lineBreak: false })
    pdf.text(`${index + 1} / ${count}`, margin, pdf.page.height - 40, {
      width,
      align: 'center',
      lineBreak: false,
    })
  }
}
