import { canonicalJson, sha256 } from '../../src/core/hash.ts'
import { languageSentence, promptLanguageOf } from '../../src/core/language.ts'
import type { Question } from '../../src/core/task.ts'
import { aoeWords } from './aoe-words.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import type { Prompts } from './prompts.ts'
import { promptDomain, promptsVersion, promptWords } from './words.ts'

/** Prompts in our words that ask for an answer as AOE prescribes it; for tables alone. */
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
    missing: ({ form }) =>
      form.kind === 'table'
        ? null
        : 'AOE prescribes tables, and this task asks for another kind of answer (leave --prompts out)',
    withDocuments: (question, documents, chainOfThought) => ({
      system: systemMessage(question, false, chainOfThought),
      user: layOutUser(question, { documents, closing: null }),
    }),
    online: (question, chainOfThought) => ({
      system: systemMessage(question, true, chainOfThought),
      user: layOutUser(question, { documents: null, closing: null }),
    }),
  }
}

function systemMessage({ language, domain }: Question, isOnline: boolean, chainOfThought: boolean): string {
  const words = aoeWords[promptLanguageOf(language)]
  const parts = [
    isOnline ? words.taskOnline : words.taskWithDocuments,
    languageSentence(language),
    words.domain[promptDomain(domain)],
    ...(isOnline ? [words.searching] : []),
    words.conventions,
    words.format,
    ...(isOnline ? [words.formatOnline] : []),
    chainOfThought ? words.stepByStep : words.atOnce,
  ]
  return parts.filter(part => part !== null).join('\n\n')
}
