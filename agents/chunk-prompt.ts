import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { groupBy } from '../src/core/group-by.ts'
import type { PromptDocument } from '../src/core/prompts.ts'

/** Retrieved chunks in the form in which the prompt shows them. */
export interface ChunkPrompt {
  /** In the task's order. A document without chunks has an empty text. */
  readonly documents: readonly PromptDocument[]
  /** The number of characters of each document in the prompt. Overlaps count once. */
  readonly coveredChars: ReadonlyMap<string, number>
}

const gap = '\n[...]\n'

/**
 * Returns the chunks that fit into a number of tokens, in rank order, up to the first chunk that does not fit. Chunks longer
 * than the whole limit are left out. The result for a smaller limit is the beginning of the result for a larger one.
 */
export function fillContext(
  chunks: readonly Chunk[],
  limitTokens: number | null,
  countTokens: (text: string) => number,
): readonly Chunk[] {
  if (limitTokens === null) return chunks
  const fitting: Chunk[] = []
  let left = limitTokens
  for (const chunk of chunks) {
    const tokens = chunkTokens(chunk, countTokens)
    if (tokens > limitTokens) continue
    if (tokens > left) break
    left -= tokens
    fitting.push(chunk)
  }
  return fitting
}

/** Counts the tokens of chunks in a prompt, including the marks between them. */
export function contextTokens(chunks: readonly Chunk[], countTokens: (text: string) => number): number {
  return chunks.reduce((sum, chunk) => sum + chunkTokens(chunk, countTokens), 0)
}

function chunkTokens(chunk: Chunk, countTokens: (text: string) => number): number {
  return countTokens(chunk.text + gap)
}

/** Groups chunks by document. Documents keep their order; the chunks of a document are in the order of its text. */
export function layOutChunks(documents: readonly ContextDocument[], chunks: readonly Chunk[]): ChunkPrompt {
  const grouped = groupChunks(chunks)
  const coveredChars = new Map<string, number>()
  const laidOut = documents.map(({ hint, problem, text }) => {
    const documentChunks = (grouped.get(hint) ?? []).toSorted((a, b) => a.start - b.start || a.end - b.end)
    coveredChars.set(hint, Math.min(text.length, coveredLength(documentChunks)))
    return { name: hint, text: documentChunks.map(chunk => chunk.text).join(gap), problem }
  })
  return { documents: laidOut, coveredChars }
}

/** Groups chunks by the hint of their document and keeps their order. */
export function groupChunks(chunks: readonly Chunk[]): ReadonlyMap<string, readonly Chunk[]> {
  return groupBy(chunks, chunk => chunk.hint)
}

/** Returns the length of the union of ranges. The ranges must be sorted by their start. */
function coveredLength(chunks: readonly Chunk[]): number {
  let covered = 0
  let end = 0
  for (const chunk of chunks) {
    covered += Math.max(0, chunk.end - Math.max(chunk.start, end))
    end = Math.max(end, chunk.end)
  }
  return covered
}
