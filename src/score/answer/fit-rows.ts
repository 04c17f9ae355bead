import { delimiters } from './delimiter.ts'
import { type LooseRecord, readRecords } from './loose-csv.ts'

/**
 * Which numbers are joined: none when fields are not separated by commas; plain numbers; or also numbers with a unit
 * after them, such as `4,812,000 euros`.
 */
export type Joins = 'none' | 'numbers' | 'with units'

/**
 * Makes every row as long as the header. A short row is read with another delimiter if that fits exactly,
 * else it is padded with empty fields. When a row is too long, empty fields at its end are removed if that
 * fits. Otherwise unquoted thousands are joined again when exactly one way fits; if none does, the extra
 * fields are dropped.
 */
export function fitRows(
  width: number,
  records: readonly LooseRecord[],
  joins: Joins,
): { readonly rows: string[][]; readonly notes: string[] } {
  const counts = new Map<string, number>()
  const note = (text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1)
  const rows = records.map(record => fitRow(width, record, joins, note))
  return { rows, notes: [...counts].map(([text, count]) => `${count} ${text}`) }
}

function fitRow(width: number, record: LooseRecord, joins: Joins, note: (text: string) => void): string[] {
  const { fields } = record
  if (fields.length === width) return [...fields]
  if (fields.length < width) {
    const refitted = readByOtherDelimiter(width, record)
    note(refitted === null ? 'short rows filled up' : 'rows with another delimiter')
    return refitted ?? [...fields, ...new Array<string>(width - fields.length).fill('')]
  }
  if (fields.slice(width).every(field => field.trim() === '')) return fields.slice(0, width)
  const joined =
    joins === 'none'
      ? null
      : (joinThousands(width, fields, groupEnd) ??
        (joins === 'with units' ? joinThousands(width, fields, groupEndWithUnit) : null))
  note(joined === null ? 'rows longer than the header cut' : 'rows with unquoted thousands joined')
  return joined ?? fields.slice(0, width)
}

function readByOtherDelimiter(width: number, record: LooseRecord): string[] | null {
  if (record.fields.length > 1 || record.raw.length > 100_000) return null
  for (const delimiter of delimiters) {
    const [reading] = readRecords(record.raw, delimiter, 1).records
    if (reading !== undefined && reading.fields.length === width) return [...reading.fields]
  }
  return null
}

const groupStart = /^\s*[-+(]?[$¥￥€£]?[1-9]\d{0,2}$/
const groupMiddle = /^\d{3}$/
const groupEnd = /^\d{3}(?:\.\d+)?\)?%?\s*$/
/** The same with a short unit after the digits. */
const groupEndWithUnit = /^\d{3}(?:\.\d+)?\)?(?:\s?[^\d\s]{1,12})?\s*$/
const mostJoins = 40

/** Joins groups of digits. Returns null unless exactly one way makes a row as long as the header. */
function joinThousands(width: number, fields: readonly string[], end: RegExp): string[] | null {
  const joins = fields.length - width
  if (joins > mostJoins || fields.filter(field => end.test(field)).length < joins) return null
  const ways = countWays(fields, joins, end)
  if (ways(0, joins) !== 1) return null
  const row: string[] = []
  let at = 0
  let left = joins
  while (at < fields.length) {
    let next = at + 1
    while (ways(next, left - (next - at - 1)) === 0) next += 1
    row.push(fields.slice(at, next).join(','))
    left -= next - at - 1
    at = next
  }
  return row
}

/** Counts the ways to make exactly `left` joins in the fields from `at` on: 0, 1, or 2 for more. */
function countWays(
  fields: readonly string[],
  joins: number,
  end: RegExp,
): (at: number, left: number) => number {
  const stride = joins + 1
  const counts = new Int8Array((fields.length + 1) * stride)
  counts[fields.length * stride] = 1
  for (let at = fields.length - 1; at >= 0; at -= 1) {
    const longest = groupLength(fields, at, end)
    for (let left = 0; left <= joins; left += 1) {
      let sum = 0
      for (let size = 1; size <= longest && size - 1 <= left; size += 1) {
        sum += counts[(at + size) * stride + left - (size - 1)]!
      }
      counts[at * stride + left] = Math.min(2, sum)
    }
  }
  return (at, left) => (left < 0 ? 0 : counts[at * stride + left]!)
}

/** The number of fields from `at` on that could be the digit groups of one number. */
function groupLength(fields: readonly string[], at: number, end: RegExp): number {
  if (!groupStart.test(fields[at]!)) return 1
  let length = 1
  while (at + length < fields.length && end.test(fields[at + length]!)) {
    length += 1
    if (!groupMiddle.test(fields[at + length - 1]!)) break
  }
  return length
}
