import { inReadingOrder, type OcrLine, type OcrWord } from './columns.ts'

/** The rows of tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
const tsvRow = /^[1-5](?:\t\d+){9}\t-?[\d.]+\t/
const tsvHead = 'level\tpage_num\t'
const wordLevel = '5'

/**
 * Returns the text of a page in reading order.
 *
 * @param output what tesseract wrote with the formats `txt` and `tsv`: the rows of both
 */
export function textOfOutput(output: string): string {
  const rows = output.split('\n')
  const texts = rows.filter(row => !row.startsWith(tsvHead) && !tsvRow.test(row))
  const words = wordsByLine(rows.filter(row => tsvRow.test(row)))
  const filled = texts.filter(text => /\S/.test(text.replace('\f', '')))
  // Without the words of every line, the text stays as tesseract ordered it.
  if (words.length !== filled.length) return texts.join('\n')
  const paragraphs = breaksOf(texts)
  const lines: OcrLine[] = filled.map((text, at) => ({
    text: `${paragraphs[at]!}${text}`,
    words: words[at]!,
  }))
  return inReadingOrder(lines).join('\n')
}

/** Returns the empty lines before each line with text. */
function breaksOf(texts: readonly string[]): string[] {
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

function wordsByLine(rows: readonly string[]): OcrWord[][] {
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
