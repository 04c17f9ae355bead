import { choosePromptLanguage, languageSentence } from '../../src/core/language.ts'
import type { AnswerSource, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { aoeWords } from './aoe-words.ts'
import { furtherWords } from './further-words.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import { promptsOfEachSource } from './own-prompts.ts'
import { promptDomain, promptsVersion, promptWords } from './words.ts'

/**
 * Returns the prompts of `--prompts aoe-conventions`: built-in words with the form of answer that AOE prescribes.
 * Tables only.
 */
export function aoePrompts(): Prompts {
  return {
    hash: sha256(
      canonicalJson({
        version: promptsVersion,
        aoeWords,
        words: promptWords,
        language: languageSentence('de'),
        notes: noteTexts(),
      }),
    ),
    missing: ({ form, turns = [] }) => {
      const isTable = [form, ...turns.map(turn => turn.form)].every(({ kind }) => kind === 'table')
      return isTable
        ? null
        : 'AOE prescribes tables, but this task asks for another kind of answer. Remove --prompts.'
    },
    ...promptsOfEachSource((question, source, documents, chainOfThought) => ({
      system: systemMessage(question, source, chainOfThought),
      user: layOutUser(question, { documents, closing: null }),
    })),
  }
}

function systemMessage(
  { language, domain }: Question,
  source: AnswerSource,
  chainOfThought: boolean,
): string {
  const words = aoeWords[choosePromptLanguage(language)]
  const { closedBook } = furtherWords[choosePromptLanguage(language)]
  const isOnline = source === 'web'
  const isClosed = source === 'memory'
  const tasks = { documents: words.taskWithDocuments, web: words.taskOnline, memory: closedBook.aoeTask }
  const parts = [
    tasks[source],
    languageSentence(language),
    words.domain[promptDomain(domain)],
    ...(isOnline ? [words.searching] : []),
    isClosed ? closedBook.aoeConventions : words.conventions,
    words.format,
    ...(isOnline ? [words.formatOnline] : []),
    chainOfThought ? (isClosed ? closedBook.aoeStepByStep : words.stepByStep) : words.atOnce,
  ]
  return parts.filter(part => part !== null).join('\n\n')
}
