import { promptLanguageOf } from '../../src/core/language.ts'
import { oneLine } from '../../src/core/one-line.ts'
import type { Question } from '../../src/core/task.ts'
import { shownSchema } from './answer-schema.ts'
import type { PromptDocument } from './prompts.ts'
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
  const keyColumns = keyColumnsOf(question)
  const parts = [
    `# ${headings.question}\n${question.query.trim()}`,
    ...(keyColumns === null ? [] : [`# ${headings.keyColumns}\n${keyColumns}`]),
    ...(question.form.kind === 'json'
      ? [`# ${headings.schema}\n\`\`\`json\n${shownSchema(question.form.schema)}\n\`\`\``]
      : []),
    ...(names.length === 0 ? [] : [`# ${headings.documents}\n${names.join('\n')}`]),
    ...(documents === null ? [] : [`# ${headings.contents}\n${documentBlocks(documents)}`]),
    ...(closing === null ? [] : [`# ${headings.answer}\n${closing}`]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The sentence that names the key columns of a question that shows them; null where it does not. */
export function keyColumnsOf({ form, language }: Question): string | null {
  const keyColumns = form.kind === 'table' ? form.keyColumns : undefined
  if (keyColumns === undefined) return null
  return promptWords[promptLanguageOf(language)].keyColumns.replace('{columns}', () =>
    keyColumns.map(oneLine).join(', '),
  )
}

/** The documents between tags, a blank line apart; one without text has an empty body and says why. */
export function documentBlocks(documents: readonly PromptDocument[]): string {
  return documents.map(block).join('\n\n')
}

function block(document: PromptDocument): string {
  const problem = document.problem ?? null
  const attributes = `name="${attribute(document.name)}"${problem === null ? '' : ` problem="${attribute(problem)}"`}`
  // A document that holds the closing tag must not end before its end.
  const text = document.text.replaceAll('</document>', '<\\/document>')
  return `<document ${attributes}>\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}</document>`
}

function attribute(text: string): string {
  return oneLine(text).replaceAll('"', '&quot;')
}
