import type { PromptLanguage } from '../../src/core/language.ts'
import { type DocumentColumn, exampleTable, promptExamples } from '../../src/core/prompts.ts'
import { writeCsv } from '../../src/text/csv.ts'
import { documentBlocks } from './document-blocks.ts'
import { promptWords } from './words.ts'

/** Returns the worked example of a system message: question, documents and answer. */
export function workedExample(language: PromptLanguage, documentColumn: DocumentColumn): string {
  const example = promptExamples[language]
  const { title, question, answer } = promptWords[language].example
  return [
    title,
    `${question}: ${example.question}`,
    documentBlocks(example.documents),
    `${answer}:`,
    `\`\`\`csv\n${writeCsv(exampleTable(example, documentColumn)).trimEnd()}\n\`\`\``,
  ].join('\n')
}

/** Returns the instructions for searching, with the first call of the example. */
export function searchingWords(language: PromptLanguage): string {
  return withFirstSearch(promptWords[language].searching, language)
}

/** Replaces `{calls}` by the first call of the example. */
export function withFirstSearch(words: string, language: PromptLanguage): string {
  const calls = JSON.stringify({ queries: promptExamples[language].searches })
  return words.replace('{calls}', () => calls)
}
