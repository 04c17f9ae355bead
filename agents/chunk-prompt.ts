import type { Chunk, ContextDocument } from '../src/core/document.ts'
import type { PromptDocument } from '../src/core/prompts.ts'

/** Retrieved chunks as the prompt shows them. */
export interface ChunkPrompt {
  /** In the task's order; a document without chunks has no text. */
  readonly documents: readonly PromptDocument[]
  /** Characters of each document that stand in the prompt, overlaps counted once. */
  readonly coveredChars: ReadonlyMap<string, number>
}

const gap = '\n[...]\n'

/**
 * The chunks that a context of so many tokens holds: in rank order, whole, up to the first that no longer fits. One that
 * is longer than the whole context is passed over. A smaller context is the beginning of a larger one.
 */
export function fillContext(
  chunks: readonly Chunk[],
  limitTokens: number | null,
  countTokens: (text: string) => number,
): readonly Chunk[] {
  if (limitTokens === null) return chunks
  const held: Chunk[] = []
  let left = limitTokens
  for (const chunk of chunks) {
    const tokens = chunkTokens(chunk, countTokens)
    if (tokens > limitTokens) continue
    if (tokens > left) break
    left -= tokens
    held.push(chunk)
  }
  return held
}

/** Tokens of chunks in a prompt, with the marks between them. */
export function contextTokens(chunks: readonly Chunk[], countTokens: (text: string) => number): number {
  return chunks.reduce((sum, chunk) => sum + chunkTokens(chunk, countTokens), 0)
}

function chunkTokens(chunk: Chunk, countTokens: (text: string) => number): number {
  return countTokens(chunk.text + gap)
}

/** Groups chunks by document, in the order of the documents and within one in the order of the text. */
export function layOutChunks(documents: readonly ContextDocument[], chunks: readonly Chunk[]): ChunkPrompt {
  const grouped = groupChunks(chunks)
  const coveredChars = new Map<string, number>()
  const laidOut = documents.map(({ hint, problem, text }) => {
    const own = (grouped.get(hint) ?? []).toSorted((a, b) => a.start - b.start || a.end - b.end)
    coveredChars.set(hint, Math.min(text.length, unionLength(own)))
    return { name: hint, text: own.map(chunk => chunk.text).join(gap), problem }
  })
  return { documents: laidOut, coveredChars }
}

export function groupChunks(chunks: readonly Chunk[]): ReadonlyMap<string, readonly Chunk[]> {
  const grouped = new Map<string, Chunk[]>()
  for (const chunk of chunks) {
    const own = grouped.get(chunk.hint)
    if (own === undefined) grouped.set(chunk.hint, [chunk])
    else own.push(chunk)
  }
  return grouped
}

/** Length of the union of ranges that are sorted by their start. */
function unionLength(chunks: readonly Chunk[]): number {
  let covered = 0
  let end = 0
  for (const chunk of chunks) {
    covered += Math.max(0, chunk.end - Math.max(chunk.start, end))
    end = Math.max(end, chunk.end)
  }
  return covered
}
