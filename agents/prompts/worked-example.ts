import { writeCsv } from '../../src/core/csv.ts'
import { type DocumentColumn, exampleTable, promptExamples } from '../../src/core/prompt-example.ts'
import type { Language } from '../../src/core/task.ts'
import { promptWords } from './words.ts'

/** The worked example as a system message shows it: question, documents and answer. */
export function workedExample(
  language: Language,
  documentColumn: DocumentColumn,
  chainOfThought: boolean,
): string {
  const example = promptExamples[language]
  const { title, question, answer, note } = promptWords[language].example
  const table = exampleTable(example, documentColumn)
  return [
    title,
    `${question}: ${example.question}`,
    ...example.documents.map(({ name, text }) => `${name}: ${text}`),
    `${answer}:`,
    ...(chainOfThought ? [note.replace('{columns}', () => table[0]!.join(', '))] : []),
    `\`\`\`csv\n${writeCsv(table).trimEnd()}\n\`\`\``,
  ].join('\n')
}

/** How an agent works, with the example's first call. */
export function searchingWords(language: Language): string {
  const calls = JSON.stringify({ queries: promptExamples[language].searches })
  return promptWords[language].searching.replace('{calls}', () => calls)
}
