import type { Chunk } from '../../../core/document.ts'
import type { ItemEvidence } from '../../../evidence/matcher.ts'
import type { TextIndexes } from '../../../evidence/text-index.ts'

/** The chunks that a control chooses from, and what it may use to choose. */
export interface ControlInput {
  /** Every chunk of the task's documents, in the order of documents and text. */
  readonly chunks: readonly Chunk[]
  /** The retrieved chunks, best first. */
  readonly retrieved: readonly Chunk[]
  readonly evidence: readonly ItemEvidence[]
  readonly indexes: TextIndexes
  /** Equal for the same task, trial and seed of the run. */
  readonly seed: number
}

/** Orders chunks. They then fill a context of the same size as that of the retrieved chunks. */
export type Control = (input: ControlInput) => readonly Chunk[]
