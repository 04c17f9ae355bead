import { canonicalJson, sha256 } from '../../src/core/hash.ts'
import { languageSentence, promptLanguageOf } from '../../src/core/language.ts'
import type { Question } from '../../src/core/task.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import type { Prompts } from './prompts.ts'
import { type PromptWords, promptDomain, promptWords } from './words.ts'

/** Our own prompts, in English and Chinese, for the three domains of AOE and any other. */
export function ownPrompts(): Prompts {
  return {
    hash: sha256(canonicalJson({ words: promptWords, language: languageSentence('de'), notes: noteTexts() })),
    missing: () => null,
    withDocuments: (question, documents, chainOfThought) => ({
      system: systemMessage(question, false, chainOfThought),
      user: layOutUser(question, documents),
    }),
    online: (question, chainOfThought) => ({
      system: systemMessage(question, true, chainOfThought),
      user: layOutUser(question, null),
    }),
  }
}

function systemMessage(question: Question, online: boolean, chainOfThought: boolean): string {
  const words = promptWords[promptLanguageOf(question.language)]
  const language = languageSentence(question.language)
  if (question.schema !== undefined) return extractionMessage(words, online, chainOfThought, language)
  const parts = [
    online ? words.taskOnline : words.taskWithDocuments,
    language,
    words.domain[promptDomain(question.domain)],
    online ? words.searching : null,
    words.conventions,
    words.format,
    online ? words.formatOnline : null,
    chainOfThought ? words.stepByStep : words.atOnce,
  ]
  return parts.filter(part => part !== null).join('\n\n')
}

function extractionMessage(
  words: PromptWords,
  online: boolean,
  chainOfThought: boolean,
  language: string | null,
): string {
  const { extraction } = words
  const parts = [
    online ? extraction.taskOnline : extraction.taskWithDocuments,
    language,
    online ? words.searching : null,
    extraction.conventions,
    extraction.format,
    online ? extraction.formatOnline : null,
    chainOfThought ? extraction.stepByStep : words.atOnce,
  ]
  return parts.filter(part => part !== null).join('\n\n')
}
