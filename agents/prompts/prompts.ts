import type { Question } from '../../src/core/task.ts'

/** A document's text, or its retrieved chunks, as it goes into a prompt. */
export interface PromptDocument {
  readonly name: string
  readonly text: string
}

export interface PromptMessages {
  readonly system: string
  readonly user: string
}

/** Our own prompts, or AOE's published ones read from a file (--prompts). */
export interface Prompts {
  /** SHA-256 of all that can go into a message: part of the manifest. */
  readonly hash: string
  /** offline and rag: everything in one request. */
  withDocuments(
    question: Question,
    documents: readonly PromptDocument[],
    chainOfThought: boolean,
  ): PromptMessages
  /** online: the query and the file names, and nothing else. */
  online(question: Question, chainOfThought: boolean): PromptMessages
}
