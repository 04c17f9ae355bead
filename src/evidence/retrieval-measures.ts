import type { RetrievalRecord } from '../core/discovery.ts'
import { findMedian } from '../core/median.ts'
import { containsEvidence, type EvidenceDocument, type ItemEvidence } from './matcher.ts'
import { indexText, type TextIndex, type TextIndexes } from './text-index.ts'

/** A retrieved chunk with the text that the retriever returned, including what the retriever added or cut. */
interface RankedChunk {
  readonly hint: string
  readonly text: string
}

interface RetrievalMeasureInput {
  /** The whole texts of the task's documents; '' for unreadable ones. */
  readonly documents: readonly EvidenceDocument[]
  /** The chunks in the prompt, best first. */
  readonly chunks: readonly RankedChunk[]
  /** All retrieved chunks, best first, when there are more than in the prompt. */
  readonly retrieved?: readonly RankedChunk[]
  /** The ranking for recall at k and for ranks, when it is deeper than the retrieved chunks. */
  readonly ranking?: readonly RankedChunk[]
  /** Null when the evidence of the task is unknown; all measures are then null. */
  readonly evidence: readonly ItemEvidence[] | null
  readonly indexes: TextIndexes
  /** Indexes of chunks shared by several attempts. When absent, each index is built again. */
  readonly chunkIndexes?: TextIndexes
  /** The values of k for evidence recall. */
  readonly ks?: readonly number[]
}

/** The measures of retrieval in an attempt's record. */
export interface RetrievalMeasures {
  readonly evidenceInPrompt: RetrievalRecord['evidenceInPrompt']
  readonly evidenceRecall: RetrievalRecord['evidenceRecall']
  readonly cellsFindable: RetrievalRecord['cellsFindable']
  readonly cellsUnfindable: RetrievalRecord['cellsUnfindable']
  readonly noise: RetrievalRecord['noise']
  readonly medianEvidenceRank: RetrievalRecord['medianEvidenceRank']
  readonly evidenceRanks?: NonNullable<RetrievalRecord['evidenceRanks']>
}

const evidenceRecallAt: readonly number[] = [5, 20, 50, 250]

interface IndexedChunk {
  readonly hint: string
  readonly chars: number
  readonly index: TextIndex
}

/**
 * The 1-based rank at which a cell's evidence is complete. This is the rank of the first chunk that contains
 * it, or of the last chunk needed for its parts (items of a list, operands of a derived value). Null when it
 * is never complete.
 */
function findEvidenceRank(cell: ItemEvidence, chunks: readonly IndexedChunk[]): number | null {
  const firstRank = (needle: ItemEvidence['alternatives'][number][number]): number => {
    const at = chunks.findIndex(
      chunk => (cell.hint === null || chunk.hint === cell.hint) && chunk.index.has(needle),
    )
    return at === -1 ? Number.POSITIVE_INFINITY : at + 1
  }
  const ranks = cell.alternatives.map(needles => Math.max(...needles.map(firstRank)))
  const best = Math.min(...ranks)
  return Number.isFinite(best) ? best : null
}

function containsGold(chunk: IndexedChunk, cells: readonly ItemEvidence[]): boolean {
  return cells.some(
    cell =>
      (cell.hint === null || cell.hint === chunk.hint) &&
      cell.alternatives.some(needles => needles.some(needle => chunk.index.has(needle))),
  )
}

/** The rank of each findable cell's evidence. All measures are computed from these ranks. */
function listRanks(findable: readonly ItemEvidence[], chunks: readonly IndexedChunk[]): (number | null)[] {
  return findable.map(cell => findEvidenceRank(cell, chunks))
}

function computeShareWithin(ranks: readonly (number | null)[], k: number): number | null {
  if (ranks.length === 0) return null
  return ranks.filter(rank => rank !== null && rank <= k).length / ranks.length
}

/**
 * Measures how much of the evidence retrieval found. The measures are recall at k among the retrieved chunks,
 * recall in the prompt, the share of retrieved characters in chunks without a gold value (noise), and the
 * median rank of the evidence found. Recalls are over the cells that are findable in the whole documents;
 * null when there are none.
 */
export function measureRetrieval(input: RetrievalMeasureInput): RetrievalMeasures {
  const { documents, evidence, indexes, ks = evidenceRecallAt } = input
  if (evidence === null) return makeUnknownMeasures(ks)
  const findable = evidence.filter(cell => containsEvidence(cell, documents, indexes))
  const indexedChunks = new Map<RankedChunk, IndexedChunk>()
  const indexChunks = (chunk: RankedChunk): IndexedChunk => {
    const indexedChunk = indexedChunks.get(chunk) ?? {
      hint: chunk.hint,
      chars: chunk.text.length,
      index: (input.chunkIndexes ?? indexText)(chunk.text),
    }
    indexedChunks.set(chunk, indexedChunk)
    return indexedChunk
  }
  const retrieved = (input.retrieved ?? input.chunks).map(indexChunks)
  const ranking = (input.ranking ?? input.retrieved ?? input.chunks).map(indexChunks)
  const ranks = listRanks(findable, ranking)
  const promptRanks = listRanks(findable, input.chunks.map(indexChunks))
  const chars = retrieved.reduce((sum, chunk) => sum + chunk.chars, 0)
  const noisy = retrieved.filter(chunk => !containsGold(chunk, evidence))
  return {
    evidenceInPrompt: computeShareWithin(promptRanks, Number.POSITIVE_INFINITY),
    evidenceRecall: Object.fromEntries(ks.map(k => [String(k), computeShareWithin(ranks, k)])),
    cellsFindable: findable.length,
    cellsUnfindable: evidence.length - findable.length,
    noise: chars === 0 ? null : noisy.reduce((sum, chunk) => sum + chunk.chars, 0) / chars,
    medianEvidenceRank: findMedian(ranks.filter(rank => rank !== null)),
    evidenceRanks: ranks,
  }
}

function makeUnknownMeasures(ks: readonly number[]): RetrievalMeasures {
  return {
    evidenceInPrompt: null,
    evidenceRecall: Object.fromEntries(ks.map(k => [String(k), null])),
    cellsFindable: null,
    cellsUnfindable: null,
    noise: null,
    medianEvidenceRank: null,
  }
}
