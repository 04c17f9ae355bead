import { choosePromptLanguage } from '../../../src/core/language.ts'
import type { TextForm } from '../../../src/core/task.ts'
import { furtherWords } from '../further-words.ts'
import { withFirstSearch } from '../worked-example.ts'
import type { KindPrompts } from './kind-prompts.ts'

/** The prompts for a text, or for a list with one item per line. The benchmark's own instructions replace the form. */
export const textPrompts: KindPrompts<TextForm> = {
  system({ language: tag, documentNames }, source) {
    const language = choosePromptLanguage(tag)
    const { text } = furtherWords[language]
    if (source === 'memory') return { task: text.taskClosedBook, rest: [] }
    if (source === 'documents') return { task: text.task, rest: [] }
    return {
      task: documentNames.length > 0 ? text.taskOnline : text.taskUnnamedOnline,
      rest: [withFirstSearch(text.searching, language)],
    }
  },
  sections: () => [],
  closing({ language, form }, source, chainOfThought) {
    const { text } = furtherWords[choosePromptLanguage(language)]
    const search = source === 'web' ? [text.firstSearch] : []
    if (form.instructions !== undefined)
      return [...search, form.instructions, ...(chainOfThought ? [] : [text.atOnce])]
    const ending = form.isList === true ? text.closingList : text.closing
    return [
      source === 'memory' ? text.rulesClosedBook : text.rules,
      ...search,
      chainOfThought ? ending.stepByStep : ending.atOnce,
    ]
  },
  answerNow: ({ language }) => furtherWords[choosePromptLanguage(language)].text.answerNow,
  queries: () => [],
}
