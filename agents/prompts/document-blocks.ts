import type { PromptDocument } from '../../src/core/prompts.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'

/**
 * Returns the documents between tags, separated by blank lines. A document without text has an empty body and a
 * reason.
 */
export function documentBlocks(documents: readonly PromptDocument[]): string {
  return documents.map(block).join('\n\n')
}

function block(document: PromptDocument): string {
  const problem = document.problem ?? null
  const attributes = `name="${attribute(document.name)}"${problem === null ? '' : ` problem="${attribute(problem)}"`}`
  // A closing tag inside a document must not end the document.
  const text = document.text.replaceAll('</document>', '<\\/document>')
  return `<document ${attributes}>\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}</document>`
}

function attribute(text: string): string {
  return joinToOneLine(text).replaceAll('"', '&quot;')
}
