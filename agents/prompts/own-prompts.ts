import { languageSentence, promptLanguageOf } from '../../src/core/language.ts'
import type { AnswerSource, PromptDocument, PromptMessages, Prompts } from '../../src/core/prompts.ts'
import { promptExamples } from '../../src/core/prompts.ts'
import type { Question, QuestionTurn } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { furtherWords } from './further-words.ts'
import { promptsOfForm } from './kinds/registry.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import { promptsVersion, promptWords } from './words.ts'

/** Our own prompts, in English and Chinese, for every kind of answer. */
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
    ...promptsOfEachSource(messages),
  }
}

/** Writes the messages of a question. `documents` null: their contents are not given. */
type WriteMessages = (
  question: Question,
  source: AnswerSource,
  documents: readonly PromptDocument[] | null,
  chainOfThought: boolean,
) => PromptMessages

/** The prompts of a set whose messages differ by what the model answers from. Further turns are asked in our words. */
export function promptsOfEachSource(write: WriteMessages): Omit<Prompts, 'hash' | 'missing'> {
  return {
    withDocuments: (question, documents, chainOfThought) =>
      write(question, 'documents', documents, chainOfThought),
    online: (question, chainOfThought) => write(question, 'web', null, chainOfThought),
    closedBook: (question, chainOfThought) => write(question, 'memory', null, chainOfThought),
    furtherTurn: ownFurtherTurn,
  }
}

const messages: WriteMessages = (question, source, documents, chainOfThought) => {
  const kind = promptsOfForm(question.form)
  const { task, rest } = kind.system(question, source, chainOfThought)
  return {
    system: [task, ...languageNote(question), ...rest].join('\n\n'),
    // Rules stand after the documents, because small models forget what came before them.
    user: layOutUser(question, {
      documents,
      closing: kind.closing(question, source, chainOfThought).join('\n\n'),
    }),
  }
}

/** A further question of a conversation in our words: the question and the form of its answer. */
export function ownFurtherTurn(
  question: Question,
  turn: QuestionTurn,
  source: AnswerSource,
  chainOfThought: boolean,
): string {
  const asked = { ...question, ...turn }
  const later = source === 'web' ? 'documents' : source
  const rules = promptsOfForm(turn.form).closing(asked, later, chainOfThought)
  const go = source === 'web' ? [furtherWords[promptLanguageOf(question.language)].furtherTurnOnline] : []
  return layOutUser(
    { ...asked, documentNames: [] },
    { documents: null, closing: [...go, ...rules].join('\n\n') },
  )
}

/** Names the language of a question that has no prompt in its own language. */
function languageNote({ language }: Question): string[] {
  const sentence = languageSentence(language)
  return sentence === null ? [] : [sentence]
}
