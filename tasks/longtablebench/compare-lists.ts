import { measureOverlap, type Overlap } from '../../src/score/fuzzy/overlap.ts'
import { pythonFloat, pythonInteger } from '../../src/score/python/number.ts'
import { pythonStrip } from '../../src/score/python/text.ts'
import { plainValue } from './plain-value.ts'
import { equalPythonValues, readPythonLiteral, textOfPythonValue } from './python-literal.ts'
import { isSameTextOrDay } from './same-day.ts'

/** A list answer compared with the gold list. */
export interface ListComparison extends Overlap {
  /** For each gold item, the item of the answer that matched it; null when none did. */
  readonly matched: readonly (string | null)[]
}

type ComparedValue = string | bigint | number | null

/**
 * Compares a list answer with the gold. Each item of the answer, in order, takes the first gold value that is equal and
 * still free.
 *
 * @param answer the part of the answer that `readAnswer` returns
 */
export function compareLists(gold: readonly string[], answer: string): ListComparison {
  const items = readItems(answer)
  const keys = groupEqual(gold.map(comparedValue))
  const matched: (string | null)[] = gold.map(() => null)
  let hits = 0
  for (const item of items) {
    const value = comparedValue(item)
    const key = keys.find(({ value: other, free }) => free.length > 0 && areEqual(value, other))
    if (key === undefined) continue
    hits += 1
    matched[key.free.shift()!] = item
  }
  return { ...measureOverlap(hits, items.length, gold.length), matched }
}

/** A list has items; a text has one. A text that is neither as a Python literal is one item as a whole. */
function readItems(answer: string): readonly string[] {
  const literal = readPythonLiteral(answer)
  if (typeof literal === 'string') return [literal]
  const isList = typeof literal === 'object' && literal !== null && literal.kind === 'list'
  return isList ? literal.items.map(textOfPythonValue) : [answer]
}

/** Returns the value by which an item is compared; null for a missing value. */
function comparedValue(item: string): ComparedValue {
  if (['null', 'nan', 'none'].includes(item.toLowerCase())) return null
  const number = item.includes('.') ? pythonFloat(item) : pythonInteger(item)
  if (number !== null) return number
  const value = plainValue(pythonStrip(item).toLowerCase())
  return value === 'nan' || value === 'none' ? null : value
}

/** A gold value, and the places of the items that have it and are not matched yet. */
interface FreeGoldItems {
  readonly value: ComparedValue
  readonly free: number[]
}

function groupEqual(values: readonly ComparedValue[]): FreeGoldItems[] {
  const groups: FreeGoldItems[] = []
  for (const [at, value] of values.entries()) {
    const group = groups.find(candidate => equalPythonValues(candidate.value, value))
    if (group === undefined) groups.push({ value, free: [at] })
    else group.free.push(at)
  }
  return groups
}

function areEqual(left: ComparedValue, right: ComparedValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return isSameTextOrDay(left, right)
  return equalPythonValues(left, right)
}
