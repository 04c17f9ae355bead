/** A word on a page, in pixels of its image. */
export interface OcrWord {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly height: number
}

/** A line on a page: its text as the program wrote it, and its words from left to right. */
export interface OcrLine {
  readonly text: string
  readonly words: readonly OcrWord[]
}

/** A strip of a page without words, between two columns. */
interface Gutter {
  readonly left: number
  readonly right: number
}

/** Two columns of text that are shorter than this many lines may be a form or a heading. */
const minLines = 4
/** The narrowest gutter, in heights of a line. The space between two words is about half of one. */
const minGutterHeights = 1
/** The lines of a text fill this share of its column on average. The cells of a table fill less. */
const minFilledShare = 0.7
/** Lines of a text have more letters than this on average. */
const minLettersPerLine = 12
/** A line that follows after more than this many line spacings begins something else, unless it has columns too. */
const maxSpacings = 1.7

/**
 * Puts the lines of a page into reading order: where columns of text stand side by side, the lines of the left column come
 * first. Rows of tables stay together, because their cells are numbers or do not fill their columns.
 */
export function orderForReading(lines: readonly OcrLine[]): string[] {
  const spacing = computeMedian(lines.slice(1).map((line, at) => computeTop(line) - computeTop(lines[at]!)))
  const ordered: string[] = []
  for (let at = 0; at < lines.length; ) {
    const columns = splitColumns(lines.slice(at), spacing)
    ordered.push(...(columns === null ? [lines[at]!.text] : columns.texts))
    at += columns?.lines ?? 1
  }
  return ordered
}

/** Returns the columns of text that begin with the first of the lines; null when it begins none. */
function splitColumns(
  lines: readonly OcrLine[],
  spacing: number,
): { readonly texts: readonly string[]; readonly lines: number } | null {
  let gutters = findGutters(lines[0]!)
  if (gutters.length === 0) return null
  let end = 0
  for (const [at, line] of lines.entries()) {
    const shared = findSharedGutters(gutters, line)
    if (shared.length === 0) break
    const parts = splitLine(line, shared).filter(part => part.length > 0)
    const previous = lines[at - 1]
    const isApart = previous !== undefined && computeTop(line) - computeTop(previous) > maxSpacings * spacing
    if (isApart && parts.length < 2) break
    if (parts.some(isNumeric) && hasNumericPart(lines[at + 1], shared)) break
    gutters = shared
    end = at + 1
  }
  const run = lines.slice(0, end).map(line => splitLine(line, gutters))
  if (run.filter(parts => parts.filter(part => part.length > 0).length > 1).length < minLines) return null
  const columns = gutters
    .map((_, at) => run.map(parts => parts[at]!))
    .concat([run.map(parts => parts.at(-1)!)])
  if (!columns.every(isText)) return null
  const texts = columns.flatMap(column => [...column.filter(part => part.length > 0).map(writeText), ''])
  return { texts, lines: end }
}

/** Returns the wide gaps between the words of a line. */
function findGutters({ words }: OcrLine): Gutter[] {
  return words.slice(1).flatMap((word, at) => {
    const gap = { left: words[at]!.right, right: word.left }
    return isWide(gap, word) ? [gap] : []
  })
}

/** Returns the parts of gutters in which a line has no words. */
function findSharedGutters(gutters: readonly Gutter[], { words }: OcrLine): Gutter[] {
  const first = words[0]
  if (first === undefined) return [...gutters]
  return gutters.flatMap(gutter => {
    const cuts = words.filter(word => word.right > gutter.left && word.left < gutter.right)
    const left = Math.max(gutter.left, ...cuts.filter(cut => cut.left <= gutter.left).map(cut => cut.right))
    const right = Math.min(gutter.right, ...cuts.filter(cut => cut.left > gutter.left).map(cut => cut.left))
    return isWide({ left, right }, first) ? [{ left, right }] : []
  })
}

function isWide({ left, right }: Gutter, { height }: OcrWord): boolean {
  return right - left >= minGutterHeights * height
}

/** Splits a line at gutters. A column in which the line has no words gets none. */
function splitLine({ words }: OcrLine, gutters: readonly Gutter[]): OcrWord[][] {
  const edges = [Number.NEGATIVE_INFINITY, ...gutters.map(({ left }) => left), Number.POSITIVE_INFINITY]
  return edges.slice(1).map((edge, at) => words.filter(word => word.left >= edges[at]! && word.left < edge))
}

function hasNumericPart(line: OcrLine | undefined, gutters: readonly Gutter[]): boolean {
  return line === undefined || splitLine(line, gutters).some(isNumeric)
}

function isNumeric(part: readonly OcrWord[]): boolean {
  const text = writeText(part)
  const digits = text.match(/\d/g)?.length ?? 0
  return digits > 0 && digits > countLetters(text)
}

/** Returns whether the lines of a column are a text rather than the cells of a table. */
function isText(column: readonly (readonly OcrWord[])[]): boolean {
  const parts = column.filter(part => part.length > 0)
  const widths = parts.map(part => part.at(-1)!.right - part[0]!.left)
  const letters = parts.map(part => countLetters(writeText(part)))
  return (
    computeMean(widths) >= minFilledShare * Math.max(...widths) && computeMean(letters) >= minLettersPerLine
  )
}

const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const writeText = (part: readonly OcrWord[]): string => part.map(word => word.text).join(' ')

const computeTop = ({ words }: OcrLine): number => Math.min(...words.map(word => word.top))

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const computeMedian = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The rows of tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
const tsvRow = /^[1-5](?:\t\d+){9}\t-?[\d.]+\t/
const tsvHead = 'level\tpage_num\t'
const wordLevel = '5'

/**
 * Returns the text of a page in reading order.
 *
 * @param output what tesseract wrote with the formats `txt` and `tsv`: the rows of both
 */
export function readTesseractOutput(output: string): string {
  const rows = output.split('\n')
  const texts = rows.filter(row => !row.startsWith(tsvHead) && !tsvRow.test(row))
  const words = groupWordsByLine(rows.filter(row => tsvRow.test(row)))
  const filled = texts.filter(text => /\S/.test(text.replace('\f', '')))
  // Without the words of every line, the text stays as tesseract ordered it.
  if (words.length !== filled.length) return texts.join('\n')
  const paragraphs = writeEmptyLines(texts)
  const lines: OcrLine[] = filled.map((text, at) => ({
    text: `${paragraphs[at]!}${text}`,
    words: words[at]!,
  }))
  return orderForReading(lines).join('\n')
}

/** Returns the empty lines before each line with text. */
function writeEmptyLines(texts: readonly string[]): string[] {
  const breaks: string[] = []
  let before = ''
  for (const text of texts) {
    if (/\S/.test(text.replace('\f', ''))) {
      breaks.push(before)
      before = ''
    } else before = '\n'
  }
  return breaks
}

function groupWordsByLine(rows: readonly string[]): OcrWord[][] {
  const lines = new Map<string, OcrWord[]>()
  for (const row of rows) {
    const [level, page, block, paragraph, line, , left, top, width, height, , text = ''] = row.split('\t')
    if (level !== wordLevel || text.trim() === '') continue
    const key = [page, block, paragraph, line].join('.')
    const word = {
      text: text.trim(),
      left: Number(left),
      right: Number(left) + Number(width),
      top: Number(top),
      height: Number(height),
    }
    lines.set(key, [...(lines.get(key) ?? []), word])
  }
  return [...lines.values()].map(words => words.sort((a, b) => a.left - b.left))
}
