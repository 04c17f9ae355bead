import type { Question, QuestionTurn } from './task.ts'

/** A document's text, or its retrieved chunks, as it goes into a prompt. */
export interface PromptDocument {
  readonly name: string
  readonly text: string
  /** Why the text, or part of it, is missing; null or absent when all is well. */
  readonly problem?: string | null
}

export interface PromptMessages {
  readonly system: string
  readonly user: string
}

/** What a model answers from: documents in the prompt, what it finds with its tools, or what it knows. */
export type AnswerSource = 'documents' | 'web' | 'memory'

/** Our own prompts, or AOE's published ones read from a file (--prompts). */
export interface Prompts {
  /** SHA-256 of all that can go into a message, `furtherTexts` aside: part of the manifest. */
  readonly hash: string
  /** Why there is no prompt for such a question; null when there is one; absent: there always is. A run asks before it starts. */
  missing?(question: Question, sources?: ReadonlySet<AnswerSource>): string | null
  /** offline and rag: everything in one request. */
  withDocuments(
    question: Question,
    documents: readonly PromptDocument[],
    chainOfThought: boolean,
  ): PromptMessages
  /** online: the query and the file names, and nothing else. */
  online(question: Question, chainOfThought: boolean): PromptMessages
  /** closed-book: the same without tools. */
  closedBook(question: Question, chainOfThought: boolean): PromptMessages
  /** The user message that asks a further question of a conversation. */
  furtherTurn(question: Question, turn: QuestionTurn, source: AnswerSource, chainOfThought: boolean): string
}
