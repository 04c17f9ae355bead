import type { Chunk } from '../src/core/document.ts'

/**
 * The chunks that fit a context, whole and in rank order, up to the first that does not fit. `cost` gives what a chunk
 * takes in the prompt, its source's heading aside.
 */
export function fillContext(
  chunks: readonly Chunk[],
  limit: number,
  cost: (text: string) => number,
): Chunk[] {
  const taken: Chunk[] = []
  let used = 0
  for (const chunk of chunks) {
    used += cost(chunk.text)
    if (used > limit) break
    taken.push(chunk)
  }
  return taken
}
