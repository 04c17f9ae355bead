import { pythonFloatText } from '../../text/python-json.ts'
import { LargeInteger, WholeFloat } from './json-value.ts'
import { pythonRepr } from './text.ts'

/** Python's str() of a parsed JSON value: a text unchanged, True, 12, 1e-07, ['a', 1], {'a': None}. */
export const pythonStr = (value: unknown): string => (typeof value === 'string' ? value : reprOf(value))

function reprOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return pythonRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof LargeInteger) return value.value.toString()
  if (value instanceof WholeFloat) return pythonFloatText(value.value)
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 1e21
      ? BigInt(value).toString()
      : pythonFloatText(value)
  }
  if (Array.isArray(value)) return `[${value.map(reprOf).join(', ')}]`
  const members = Object.entries(value as object).map(
    ([key, inner]) => `${pythonRepr(key)}: ${reprOf(inner)}`,
  )
  return `{${members.join(', ')}}`
}
