import { promptLanguageOf } from '../../../src/core/language.ts'
import type { Question, TableForm } from '../../../src/core/task.ts'
import { oneLine } from '../../../src/text/plain-text.ts'
import { furtherWords } from '../further-words.ts'
import { loopNotes } from '../notes.ts'
import { promptDomain, promptWords } from '../words.ts'
import { searchingWords, workedExample } from '../worked-example.ts'
import type { KindPrompts } from './kind-prompts.ts'

/** The prompts for a table as one csv block. */
export const tablePrompts: KindPrompts<TableForm> = {
  system(question, source, chainOfThought) {
    const language = promptLanguageOf(question.language)
    const words = promptWords[language]
    const { unnamed, closedBook } = furtherWords[language]
    if (source === 'memory')
      return { task: closedBook.task, rest: chainOfThought ? [closedBook.reasoning] : [] }
    const isNamed = question.documentNames.length > 0
    const column = isNamed ? words.documentColumn[promptDomain(question.domain)] : 'none'
    const reasoning = chainOfThought ? [words.reasoning] : []
    const example = workedExample(language, column)
    if (source === 'documents') return { task: words.task, rest: [...reasoning, example] }
    return {
      task: isNamed ? words.taskOnline : unnamed.taskOnline,
      rest: [searchingWords(language), ...reasoning, example],
    }
  },
  sections(question) {
    const keyColumns = writeKeyColumns(question)
    const { headings } = promptWords[promptLanguageOf(question.language)]
    return keyColumns === null ? [] : [{ heading: headings.keyColumns, body: keyColumns }]
  },
  closing({ language, domain, documentNames }, source, chainOfThought) {
    const words = promptWords[promptLanguageOf(language)]
    const { unnamed, closedBook } = furtherWords[promptLanguageOf(language)]
    const ending = source === 'web' ? words.closingOnline : words.closing
    return [
      documentNames.length === 0 ? unnamed.rows : words.rows[promptDomain(domain)],
      source === 'memory' ? closedBook.conventions : words.conventions,
      chainOfThought ? ending.stepByStep : ending.atOnce,
    ]
  },
  answerNow: ({ language }) => loopNotes[promptLanguageOf(language)].answerNow,
  queries: () => null,
}

/** Returns the sentence that names the key columns; null when the question does not show them. */
export function writeKeyColumns({ form, language }: Pick<Question, 'form' | 'language'>): string | null {
  const keyColumns = form.kind === 'table' ? form.keyColumns : undefined
  if (keyColumns === undefined) return null
  return promptWords[promptLanguageOf(language)].keyColumns.replace('{columns}', () =>
    keyColumns.map(oneLine).join(', '),
  )
}
