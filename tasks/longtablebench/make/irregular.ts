import type { Random } from '../../../src/core/runtime.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { smallNumberWords, tensWords } from '../../../src/text/number-words.ts'
import { romanDigits } from '../plain-value.ts'

/** The share of numbers and dates that are rewritten. */
const rewrittenShare = 0.7

/** Rewrites most numbers and dates of a table in other notations. The columns in `kept` stay as they are. */
export function withIrregularValues(
  table: DocumentTable,
  keptColumns: ReadonlySet<string>,
  random: Random,
): DocumentTable {
  const rows = table.rows.map(row =>
    row.map((cell, at) => {
      if (cell === null || keptColumns.has(table.columns[at]!)) return cell
      const ways = listSpellings(String(cell))
      if (ways.length === 0 || random() >= rewrittenShare) return cell
      return ways[Math.floor(random() * ways.length)]!
    }),
  )
  return { ...table, rows }
}

/** Returns the irregular spellings of a number or an ISO date; none for other texts. */
function listSpellings(text: string): string[] {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (date !== null) {
    const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
    return [
      `${day}/${month}/${year}`,
      `${month}.${day}.${year}`,
      [year, month, day].map(writeWords).join('.'),
      [year, month, day].map(writeRoman).join('-'),
    ]
  }
  if (!/^(?:0|[1-9]\d{0,8})(?:\.\d+)?$/.test(text)) return []
  const isWhole = !text.includes('.')
  const value = Number(text)
  return [
    ...(isWhole && value > 0 && value < 4_000 ? [writeRoman(value)] : []),
    ...(isWhole && value < 1_000_000 ? [writeWords(value)] : []),
    ...(value > 0 ? [writePower(text)] : []),
  ]
}

function writeRoman(value: number): string {
  let [left, text] = [value, '']
  for (const [sign, size] of romanDigits)
    while (left >= size) {
      text += sign
      left -= size
    }
  return text
}

/** Writes a whole number below one million in English words. */
function writeWords(value: number): string {
  if (value < 20) return smallNumberWords[value]!
  if (value < 100)
    return [
      tensWords[Math.floor(value / 10) - 2]!,
      ...(value % 10 === 0 ? [] : [smallNumberWords[value % 10]!]),
    ].join('-')
  const [size, name] = value < 1_000 ? [100, 'hundred'] : [1_000, 'thousand']
  const rest = value % size
  return `${writeWords(Math.floor(value / size))} ${name}${rest === 0 ? '' : ` ${writeWords(rest)}`}`
}

/** Writes a positive number such as 1230 as `1.23×10^3`. */
function writePower(text: string): string {
  const digits = text.replace('.', '')
  const first = digits.search(/[1-9]/)
  const exponent = (text.includes('.') ? text.indexOf('.') : text.length) - 1 - first
  const fraction = digits.slice(first + 1).replace(/0+$/, '')
  return `${digits[first]}.${fraction === '' ? '0' : fraction}×10^${exponent}`
}
