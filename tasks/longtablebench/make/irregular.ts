import type { Random } from '../../../src/core/runtime.ts'
import type { DocumentTable } from '../../../src/core/task.ts'

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
      const ways = waysToWrite(String(cell))
      if (ways.length === 0 || random() >= rewrittenShare) return cell
      return ways[Math.floor(random() * ways.length)]!
    }),
  )
  return { ...table, rows }
}

/** Returns the irregular spellings of a number or an ISO date; none for other texts. */
function waysToWrite(text: string): string[] {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (date !== null) {
    const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
    return [
      `${day}/${month}/${year}`,
      `${month}.${day}.${year}`,
      [year, month, day].map(inWords).join('.'),
      [year, month, day].map(inRoman).join('-'),
    ]
  }
  if (!/^(?:0|[1-9]\d{0,8})(?:\.\d+)?$/.test(text)) return []
  const isWhole = !text.includes('.')
  const value = Number(text)
  return [
    ...(isWhole && value > 0 && value < 4_000 ? [inRoman(value)] : []),
    ...(isWhole && value < 1_000_000 ? [inWords(value)] : []),
    ...(value > 0 ? [inPowers(text)] : []),
  ]
}

const romanSigns: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function inRoman(value: number): string {
  let [left, text] = [value, '']
  for (const [size, sign] of romanSigns)
    while (left >= size) {
      text += sign
      left -= size
    }
  return text
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Writes a whole number below one million in English words. */
function inWords(value: number): string {
  if (value < 20) return small[value]!
  if (value < 100)
    return [tens[Math.floor(value / 10)]!, ...(value % 10 === 0 ? [] : [small[value % 10]!])].join('-')
  const [size, name] = value < 1_000 ? [100, 'hundred'] : [1_000, 'thousand']
  const rest = value % size
  return `${inWords(Math.floor(value / size))} ${name}${rest === 0 ? '' : ` ${inWords(rest)}`}`
}

/** Writes a positive number such as 1230 as `1.23×10^3`. */
function inPowers(text: string): string {
  const digits = text.replace('.', '')
  const first = digits.search(/[1-9]/)
  const exponent = (text.includes('.') ? text.indexOf('.') : text.length) - 1 - first
  const fraction = digits.slice(first + 1).replace(/0+$/, '')
  return `${digits[first]}.${fraction === '' ? '0' : fraction}×10^${exponent}`
}
