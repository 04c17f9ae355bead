/** The lines that tools write above each page of a document: `--- page 3 (read by OCR) ---`. */
const pageMark = /^--- page (\d+)(?: \(.*\))? ---$/gm
/** The same, also above each part of a page that is read in parts. */
const pageOrPartMark = /^--- (?:page|part) (\d+)(?: \(.*\))? ---$/gm

/** Returns the line above a page. `note` says how it was read; empty for none. */
export function writePageMark(number: number, note: string): string {
  return `--- page ${number}${note === '' ? '' : ` (${note})`} ---`
}

/** A page of a text with page marks. `start` is the position of its mark. */
interface MarkedPage {
  readonly number: number
  readonly start: number
  readonly text: string
}

/** Splits a text at its page marks. Text before the first mark belongs to no page. */
export function splitAtPageMarks(text: string, units: 'pages' | 'pages and parts' = 'pages'): MarkedPage[] {
  const marks = [...text.matchAll(units === 'pages' ? pageMark : pageOrPartMark)]
  return marks.map((mark, at) => ({
    number: Number(mark[1]),
    start: mark.index,
    text: text.slice(mark.index + mark[0].length, marks[at + 1]?.index),
  }))
}
