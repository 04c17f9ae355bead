import { canonicalJson, sha256 } from '../../src/core/hash.ts'
import { languageSentence, promptLanguageOf } from '../../src/core/language.ts'
import { promptExamples } from '../../src/core/prompt-example.ts'
import type { Question } from '../../src/core/task.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import type { PromptDocument, PromptMessages, Prompts } from './prompts.ts'
import { promptDomain, promptsVersion, promptWords } from './words.ts'
import { searchingWords, workedExample } from './worked-example.ts'

/** Our own prompts, in English and Chinese, for the three domains of AOE and any other. */
export function ownPrompts(): Prompts {
  return {
    hash: sha256(
      canonicalJson({
        version: promptsVersion,
        words: promptWords,
        language: languageSentence('de'),
        examples: promptExamples,
        notes: noteTexts(),
      }),
    ),
    missing: () => null,
    withDocuments: (question, documents, chainOfThought) => messages(question, documents, chainOfThought),
    online: (question, chainOfThought) => messages(question, null, chainOfThought),
  }
}

/** `documents` null: the agent has to find them. */
function messages(
  question: Question,
  documents: readonly PromptDocument[] | null,
  chainOfThought: boolean,
): PromptMessages {
  const isOnline = documents === null
  const words = promptWords[promptLanguageOf(question.language)]
  const { closing, closingOnline } = question.form.kind === 'json' ? words.extraction : words
  const ending = isOnline ? closingOnline : closing
  const form = chainOfThought ? ending.stepByStep : ending.atOnce
  return {
    system:
      question.form.kind === 'json'
        ? extractionTask(question, isOnline)
        : tableTask(question, isOnline, chainOfThought),
    user: layOutUser(question, {
      documents,
      closing: [...answerRules(question), form].join('\n\n'),
    }),
  }
}

function tableTask(question: Question, isOnline: boolean, chainOfThought: boolean): string {
  const language = promptLanguageOf(question.language)
  const words = promptWords[language]
  const kind = promptDomain(question.domain)
  return [
    isOnline ? words.taskOnline : words.task,
    ...languageNote(question),
    ...(isOnline ? [searchingWords(language)] : []),
    ...(chainOfThought ? [words.reasoning] : []),
    workedExample(language, words.documentColumn[kind]),
  ].join('\n\n')
}

function extractionTask(question: Question, isOnline: boolean): string {
  const language = promptLanguageOf(question.language)
  const { extraction } = promptWords[language]
  return [
    isOnline ? extraction.taskOnline : extraction.task,
    ...languageNote(question),
    ...(isOnline ? [searchingWords(language)] : []),
    extraction.example,
  ].join('\n\n')
}

/** What columns, rows and values are. It stands after the documents, because small models forget what came before them. */
function answerRules({ form, language, domain }: Question): string[] {
  const words = promptWords[promptLanguageOf(language)]
  return form.kind === 'json'
    ? [words.extraction.conventions]
    : [words.rows[promptDomain(domain)], words.conventions]
}

/** Names the language of a question that has no prompt in its own language. */
function languageNote({ language }: Question): string[] {
  const sentence = languageSentence(language)
  return sentence === null ? [] : [sentence]
}
