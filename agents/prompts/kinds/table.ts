import { choosePromptLanguage } from '../../../src/core/language.ts'
import type { Question, TableForm } from '../../../src/core/task.ts'
import { joinToOneLine } from '../../../src/text/plain-text.ts'
import { furtherWords } from '../further-words.ts'
import { loopNotes } from '../notes.ts'
import { promptDomain, promptWords } from '../words.ts'
import { searchingWords, workedExample } from '../worked-example.ts'
import type { KindPrompts } from './kind-prompts.ts'

/** The prompts for a table as one csv block. */
export const tablePrompts: KindPrompts<TableForm> = {
  system(question, source, chainOfThought) {
    const language = choosePromptLanguage(question.language)
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
    const { headings } = promptWords[choosePromptLanguage(question.language)]
    return keyColumns === null ? [] : [{ heading: headings.keyColumns, body: keyColumns }]
  },
  closing({ language, domain, documentNames }, source, chainOfThought) {
    const words = promptWords[choosePromptLanguage(language)]
    const { unnamed, closedBook } = furtherWords[choosePromptLanguage(language)]
    const ending = source === 'web' ? words.closingOnline : words.closing
    return [
      documentNames.length === 0 ? unnamed.rows : words.rows[promptDomain(domain)],
      source === 'memory' ? closedBook.conventions : words.conventions,
      chainOfThought ? ending.stepByStep : ending.atOnce,
    ]
  },
  answerNow: ({ language }) => loopNotes[choosePromptLanguage(language)].answerNow,
  queries: () => null,
}

/** Returns the sentence that names the key columns; null when the question does not show them. */
export function writeKeyColumns({ form, language }: Question): string | null {
  const keyColumns = form.kind === 'table' ? form.keyColumns : undefined
  if (keyColumns === undefined) return null
  return promptWords[choosePromptLanguage(language)].keyColumns.replace('{columns}', () =>
    keyColumns.map(joinToOneLine).join(', '),
  )
}
