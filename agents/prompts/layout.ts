import { promptLanguageOf } from '../../src/core/language.ts'
import type { PromptDocument } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { documentBlocks } from './document-blocks.ts'
import { promptsOfForm } from './kinds/registry.ts'
import { promptWords } from './words.ts'

/** What a user message contains beside the question. */
export interface UserParts {
  /** Their contents follow the list of documents; null: the contents are not given. */
  readonly documents: readonly PromptDocument[] | null
  /** What the answer looks like, at the very end; null: another part of the prompt says so. */
  readonly closing: string | null
}

/**
 * The user message that every setting shares: question, list of documents and, offline and rag, their contents.
 *
 *     # Question
 *     {query}
 *
 *     # Key columns
 *     (under --show-columns)
 *
 *     # Schema
 *     (where the answer is JSON by a schema)
 *
 *     # Documents
 *     - name
 *
 *     # Contents
 *     <document name="name">
 *     …
 *     </document>
 *
 *     # Answer
 *     {closing}
 */
export function layOutUser(question: Question, { documents, closing }: UserParts): string {
  const { headings } = promptWords[promptLanguageOf(question.language)]
  const names = question.documentNames.map(name => `- ${oneLine(name)}`)
  const sections = promptsOfForm(question.form).sections(question)
  const parts = [
    `# ${headings.question}\n${question.query.trim()}`,
    ...sections.map(({ heading, body }) => `# ${heading}\n${body}`),
    ...(names.length === 0 ? [] : [`# ${headings.documents}\n${names.join('\n')}`]),
    ...(documents === null ? [] : [`# ${headings.contents}\n${documentBlocks(documents)}`]),
    ...(closing === null ? [] : [`# ${headings.answer}\n${closing}`]),
  ]
  return `${parts.join('\n\n')}\n`
}
