import type { Chunk } from '../../../core/document.ts'
import type { ItemEvidence } from '../../../evidence/matcher.ts'
import type { TextIndexes } from '../../../evidence/text-index.ts'

/** What a control chooses from. */
export interface ControlInput {
  /** Every chunk of the task's documents, in the order of documents and text. */
  readonly chunks: readonly Chunk[]
  /** What was retrieved, best first. */
  readonly retrieved: readonly Chunk[]
  readonly evidence: readonly ItemEvidence[]
  readonly indexes: TextIndexes
  /** The same for the same task, trial and run seed. */
  readonly seed: number
}

/** Puts chunks in the order in which they fill the context that the retrieved ones had. */
export type Control = (input: ControlInput) => readonly Chunk[]
