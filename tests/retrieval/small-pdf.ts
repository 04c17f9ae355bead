/** A text at a position in points from the lower left corner, rotated by `degrees`. */
export interface Drawn {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly degrees?: number
}

/** The content of a page: texts in drawing order, or raw operators such as those of an image. */
export type PageContent = readonly Drawn[] | string

export interface SmallPdfOptions {
  /** Whether the file requires a password. No password matches its check value. */
  readonly encrypted?: boolean
  /** Entries for every page's dictionary. */
  readonly pageEntries?: string
  /** Further entries of the catalog, such as the fields of a form. */
  readonly catalogEntries?: string
  /** Additional fonts, as entries of a resource dictionary. */
  readonly fonts?: string
  /** Additional objects. In a PDF with one page, their numbers begin with 6. */
  readonly objects?: readonly string[]
}

/** Returns a stream object. */
export function streamOf(entries: string, content: string): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Returns a PDF with 10 point Helvetica text on pages of 612 x 792 points. */
export function smallPdf(pages: readonly PageContent[], options: SmallPdfOptions = {}): Buffer {
  const objects: string[] = []
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  objects.push(`<< /Type /Catalog /Pages 2 0 R ${options.catalogEntries ?? ''} >>`)
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  for (const [index, page] of pages.entries()) {
    const content = typeof page === 'string' ? page : page.map(drawingOf).join('\n')
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R ${options.fonts ?? ''} >> >> ${options.pageEntries ?? ''} >>`,
    )
    objects.push(streamOf('', content))
  }
  objects.push(...(options.objects ?? []))
  const check = 'ab'.repeat(32)
  if (options.encrypted) {
    objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${check}> /U <${check}> /P -4 >>`)
  }
  return assemble(objects, options.encrypted === true)
}

/** An inline image of one grey pixel over the whole page, which has no text, like a scan. */
export const scannedPage = 'q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 80> EI Q\n'

function drawingOf({ x, y, text, degrees = 0 }: Drawn): string {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians).toFixed(6), Math.sin(radians).toFixed(6)]
  const escaped = text.replace(/[\\()]/g, character => `\\${character}`)
  return `BT /F1 10 Tf ${cos} ${sin} ${-Number(sin)} ${cos} ${x} ${y} Tm (${escaped}) Tj ET`
}

function assemble(objects: readonly string[], encrypted: boolean): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const encrypt = encrypted ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : ''
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encrypt} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
