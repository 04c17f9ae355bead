import { choosePromptLanguage } from '../../../src/core/language.ts'
import type { JsonForm } from '../../../src/core/task.ts'
import { fieldQueries, shownSchema } from '../answer-schema.ts'
import { furtherWords } from '../further-words.ts'
import { loopNotes } from '../notes.ts'
import { promptWords } from '../words.ts'
import { searchingWords } from '../worked-example.ts'
import type { KindPrompts } from './kind-prompts.ts'

/** The prompts for a JSON value that follows a schema. */
export const jsonPrompts: KindPrompts<JsonForm> = {
  system({ language: tag, documentNames }, source) {
    const language = choosePromptLanguage(tag)
    const { extraction } = promptWords[language]
    const { unnamed, closedBook } = furtherWords[language]
    if (source === 'memory') return { task: closedBook.extractionTask, rest: [] }
    if (source === 'documents') return { task: extraction.task, rest: [extraction.example] }
    return {
      task: documentNames.length > 0 ? extraction.taskOnline : unnamed.extractionTaskOnline,
      rest: [searchingWords(language), extraction.example],
    }
  },
  sections({ form, language }) {
    const { headings } = promptWords[choosePromptLanguage(language)]
    return [{ heading: headings.schema, body: `\`\`\`json\n${shownSchema(form.schema)}\n\`\`\`` }]
  },
  closing({ language }, source, chainOfThought) {
    const { extraction } = promptWords[choosePromptLanguage(language)]
    const { closedBook } = furtherWords[choosePromptLanguage(language)]
    if (source === 'memory') {
      const form = chainOfThought ? closedBook.extractionStepByStep : extraction.closing.atOnce
      return [closedBook.extractionConventions, form]
    }
    const ending = source === 'web' ? extraction.closingOnline : extraction.closing
    return [extraction.conventions, chainOfThought ? ending.stepByStep : ending.atOnce]
  },
  answerNow: ({ language }) => loopNotes[choosePromptLanguage(language)].answerJsonNow,
  queries: ({ form }) => fieldQueries(form.schema),
}
