import { promptLanguageOf } from '../../src/core/language.ts'
import { oneLine } from '../../src/core/one-line.ts'
import type { Question } from '../../src/core/task.ts'
import { shownSchema } from './answer-schema.ts'
import type { PromptDocument } from './prompts.ts'
import { promptWords } from './words.ts'

/**
 * The user message that every setting shares: question, list of documents and, offline and rag, their contents.
 *
 *     # Question
 *     {query}
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
 */
export function layOutUser(question: Question, documents: readonly PromptDocument[] | null): string {
  const { headings } = promptWords[promptLanguageOf(question.language)]
  const names = question.hints.map(hint => `- ${oneLine(hint)}`)
  const parts = [
    `# ${headings.question}\n${question.query.trim()}`,
    ...(question.schema === undefined
      ? []
      : [`# ${headings.schema}\n\`\`\`json\n${shownSchema(question.schema)}\n\`\`\``]),
    `# ${headings.documents}\n${names.join('\n')}`,
  ]
  if (documents !== null) parts.push(`# ${headings.contents}\n${documentBlocks(documents)}`)
  return `${parts.join('\n\n')}\n`
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
