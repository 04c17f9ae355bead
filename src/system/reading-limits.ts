/**
 * The limits of everything that is read from outside: web pages and documents. A page or document beyond a limit is
 * reported as unreadable with the prefix `too-large:` and the limit; docs/documents.md lists them. No text is cut
 * silently. No known page or document of a person is near a limit.
 */
export const readingLimits = {
  /** The most time for reading one page or document other than a PDF, in milliseconds. Waiting for a thread is not counted. */
  documentMs: 30_000,
  /** The most time for one page of a PDF, in milliseconds. */
  pdfPageMs: 30_000,
  /** The most time for a whole PDF, in milliseconds. OCR is not counted. */
  pdfMs: 600_000,
  /** The most memory of JavaScript objects that a reading thread may use, in megabytes. */
  threadMegabytes: 1_024,
  /** The most memory that PDFium may use for a document, in megabytes. */
  pdfMegabytes: 768,
  /** The most pages of a PDF. */
  pages: 20_000,
  /** The most characters of one page of a PDF. */
  pageChars: 1_000_000,
  /** The most characters of text of a page or document. */
  textChars: 20_000_000,
  /** The most elements of an HTML page, or of one XML part of an Office document. */
  elements: 1_000_000,
  /** The most attributes of one element. */
  attributes: 1_000,
  /** The most levels of nested elements in an HTML page. */
  htmlLevels: 20_000,
  /** The most levels of nested elements in a Word document, whose conversion is recursive. */
  docxLevels: 500,
  /** The most links of an HTML page. */
  links: 100_000,
  /** The most cells of a table or workbook: with empty cells before filled ones, and with repetitions of spanning cells. */
  cells: 2_000_000,
  /** The most columns of a sheet: those of Excel. */
  columns: 16_384,
  /** The most bytes of one unpacked part of an Office document, and of all XML parts of a Word document. */
  unpackedBytes: 134_217_728,
} as const

/** A page or document is larger than a limit. The message begins with `too-large:` and names the limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  /** The message without `too-large:`. */
  readonly what: string
  /** False when another attempt may read more: the machine may have been busy. */
  readonly lasting: boolean
  constructor(what: string, { lasting = true } = {}) {
    super(`too-large: ${what}`)
    this.what = what
    this.lasting = lasting
  }
}

/**
 * Checks a count against its limit.
 *
 * @param unit what is counted, such as `cells`
 * @param place where the limit was exceeded, such as `sheet 'Sales'`; '' for the whole document
 * @throws TooLargeError
 */
export function checkLimit(count: number, limit: number, unit: string, place = ''): void {
  if (count > limit) throw tooLargeError(limit, unit, place)
}

/** Returns the error of a count above its limit. */
export function tooLargeError(limit: number, unit: string, place = ''): TooLargeError {
  return new TooLargeError(`more than ${limit} ${unit}${place === '' ? '' : ` (${place})`}`)
}
