import type { PromptLanguage } from '../../src/core/language.ts'
import { type DocumentColumn, exampleTable, promptExamples } from '../../src/core/prompts.ts'
import { writeCsv } from '../../src/text/csv.ts'
import { documentBlocks } from './document-blocks.ts'
import { promptWords } from './words.ts'

/** The worked example as a system message shows it: question, documents and answer. */
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

/** How an agent works, with the example's first call. */
export function searchingWords(language: PromptLanguage): string {
  return withFirstSearch(promptWords[language].searching, language)
}

/** Words on how an agent works with the example's first call in place of `{calls}`. */
export function withFirstSearch(words: string, language: PromptLanguage): string {
  const calls = JSON.stringify({ queries: promptExamples[language].searches })
  return words.replace('{calls}', () => calls)
}
