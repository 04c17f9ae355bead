import { groupBy } from '../../core/group-by.ts'
import { listCodePoints } from './token-sort.ts'

/**
 * Python's difflib.SequenceMatcher(None, a, b).ratio() over code points: 2 x matched / (length a + length b).
 * Matches are found as Ratcliff and Obershelp do, longest block first, with difflib's autojunk. In a `b` of
 * 200 characters or more, characters that occur more than 1 + length / 100 times do not start a block. Two
 * empty texts score 1.
 */
export const computeSequenceRatio = (a: string, b: string): number =>
  computeElementRatio(listCodePoints(a), listCodePoints(b))

/** The same ratio over two lists, whose equal elements are equal numbers. */
export function computeElementRatio(left: readonly number[], right: readonly number[]): number {
  const total = left.length + right.length
  return total === 0 ? 1 : (2 * measureMatches(left, right)) / total
}

function measureMatches(a: readonly number[], b: readonly number[]): number {
  const positions = findPositions(b)
  const pending: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]]
  let matched = 0
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = part
    const block = findLongestMatch(a, b, positions, part)
    if (block.size === 0) continue
    matched += block.size
    if (aLow < block.a && bLow < block.b) pending.push([aLow, block.a, bLow, block.b])
    const aEnd = block.a + block.size
    const bEnd = block.b + block.size
    if (aEnd < aHigh && bEnd < bHigh) pending.push([aEnd, aHigh, bEnd, bHigh])
  }
  return matched
}

function findPositions(b: readonly number[]): Map<number, number[]> {
  const positions = groupBy(b.keys(), at => b[at]!)
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1
    for (const [code, list] of positions) if (list.length > most) positions.delete(code)
  }
  return positions
}

interface MatchingBlock {
  a: number
  b: number
  size: number
}

/**
 * The longest matching block of the part: the first in `a` of equally long ones, then the first in `b`. It is
 * extended over popular characters.
 */
function findLongestMatch(
  a: readonly number[],
  b: readonly number[],
  positions: ReadonlyMap<number, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: readonly [number, number, number, number],
): MatchingBlock {
  const best: MatchingBlock = { a: aLow, b: bLow, size: 0 }
  let lengths = new Map<number, number>()
  for (let i = aLow; i < aHigh; i += 1) {
    const next = new Map<number, number>()
    for (const j of positions.get(a[i]!) ?? []) {
      if (j < bLow) continue
      if (j >= bHigh) break
      const size = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best.size) {
        best.a = i - size + 1
        best.b = j - size + 1
        best.size = size
      }
    }
    lengths = next
  }
  while (best.a > aLow && best.b > bLow && a[best.a - 1] === b[best.b - 1]) {
    best.a -= 1
    best.b -= 1
    best.size += 1
  }
  while (
    best.a + best.size < aHigh &&
    best.b + best.size < bHigh &&
    a[best.a + best.size] === b[best.b + best.size]
  ) {
    best.size += 1
  }
  return best
}
