import { pythonFloat, pythonInteger } from '../../src/score/python/number.ts'
import { makePlainValue, Uncomputable } from './plain-value.ts'
import { arePythonValuesEqual, type PythonValue, readPythonLiteral } from './python-literal.ts'
import { isSameTextOrDay } from './same-day.ts'

/** The row that a fact names, with its values by column. */
export type GoldRecord = ReadonlyMap<string, PythonValue>

/** What the published scorer writes for a missing value before it reads the row. */
const missingMark = 'NNANN'

/**
 * Whether an answer is the gold row: a dict literal with as many keys, in which every gold key, in lower case, has the
 * gold value.
 *
 * @param answer the part of the answer that `readAnswer` returns
 * @throws Uncomputable for a number that Python cannot convert
 */
export function isSameRow(gold: GoldRecord, answer: string): boolean {
  const row = readRow(answer)
  if (row === null || row.size !== gold.size) return false
  return [...gold].every(([key, value]) => areEqual(value, row.get(key.toLowerCase()) ?? null))
}

/** Reads a row by its text keys. `size` also counts keys that are not texts. */
function readRow(
  answer: string,
): { readonly size: number; get(key: string): PythonValue | undefined } | null {
  let text = answer.toLowerCase().replaceAll('true', 'True').replaceAll('false', 'False')
  for (const word of ['nan', 'none']) {
    text = text.replaceAll(`"${word}"`, `'${missingMark}'`).replaceAll(`'${word}'`, `'${missingMark}'`)
    text = text.replace(new RegExp(`(?<=[ ,:}])${word}(?=[ ,:}])`, 'g'), `'${missingMark}'`)
  }
  const literal = readPythonLiteral(text)
  if (typeof literal !== 'object' || literal === null || literal.kind !== 'dict') return null
  const values = new Map(
    literal.entries.map(([key, value]) => [key, value === missingMark ? Number.NaN : value]),
  )
  return { size: values.size, get: key => values.get(key) }
}

function areEqual(goldValue: PythonValue, answerValue: PythonValue): boolean {
  const gold = withoutWriting(goldValue)
  const answer = convertLike(gold, withoutWriting(answerValue))
  if (isMissing(gold) && isMissing(answer)) return true
  if (typeof gold === 'string' && typeof answer === 'string') return isSameTextOrDay(gold, answer)
  return arePythonValuesEqual(gold, answer)
}

const withoutWriting = (value: PythonValue): PythonValue =>
  typeof value === 'string' ? makePlainValue(value.toLowerCase()) : value

const isMissing = (value: PythonValue): boolean =>
  value === null || value === '' || (typeof value === 'number' && Number.isNaN(value))

/** Converts a value with Python's float() or int() to the type of the gold. A value that cannot be converted stays. */
function convertLike(gold: PythonValue, value: PythonValue): PythonValue {
  if (typeof gold === 'number') return asFloat(value) ?? value
  return typeof gold === 'bigint' || typeof gold === 'boolean' ? (asInteger(value) ?? value) : value
}

function asFloat(value: PythonValue): number | null {
  if (typeof value === 'string') return pythonFloat(value)
  if (typeof value === 'bigint' && !Number.isFinite(Number(value))) throw new Uncomputable()
  return typeof value === 'object' ? null : Number(value)
}

function asInteger(value: PythonValue): bigint | null {
  if (typeof value === 'string') return pythonInteger(value)
  if (typeof value === 'boolean') return BigInt(value)
  if (typeof value !== 'number') return typeof value === 'bigint' ? value : null
  if (Number.isNaN(value)) return null
  if (!Number.isFinite(value)) throw new Uncomputable()
  return BigInt(Math.trunc(value))
}
