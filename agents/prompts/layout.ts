import { choosePromptLanguage } from '../../src/core/language.ts'
import type { PromptDocument } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import { documentBlocks } from './document-blocks.ts'
import { promptsOfForm } from './kinds/registry.ts'
import { promptWords } from './words.ts'

/** The parts of a user message besides the question. */
interface UserParts {
  /** The documents whose contents follow the list of names; null to leave the contents out. */
  readonly documents: readonly PromptDocument[] | null
  /** The form of the answer, at the end; null when another part of the prompt describes it. */
  readonly closing: string | null
}

/**
 * Writes the user message of every setting: the question, the list of documents and, in offline and rag, their contents.
 *
 *     # Question
 *     {query}
 *
 *     # Key columns
 *     (with --show-columns)
 *
 *     # Schema
 *     (for a JSON answer)
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
  const { headings } = promptWords[choosePromptLanguage(question.language)]
  const names = question.documentNames.map(name => `- ${joinToOneLine(name)}`)
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
