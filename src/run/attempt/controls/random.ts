import type { Chunk } from '../../../core/document.ts'
import { seededRandom } from '../../../core/runtime.ts'
import type { ControlInput } from './control.ts'

/** Returns all chunks of the task's documents in a random order that depends on the seed only. */
export function orderRandomly({ chunks, seed }: ControlInput): readonly Chunk[] {
  const random = seededRandom(seed)
  const drawn = [...chunks]
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const chunk = drawn[last]!
    drawn[last] = drawn[other]!
    drawn[other] = chunk
  }
  return drawn
}
