import { choosePromptLanguage, languageSentence } from '../../src/core/language.ts'
import type { AnswerSource, PromptDocument, PromptMessages, Prompts } from '../../src/core/prompts.ts'
import { promptExamples } from '../../src/core/prompts.ts'
import type { Question, QuestionTurn } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { furtherWords } from './further-words.ts'
import { promptsOfForm } from './kinds/registry.ts'
import { layOutUser } from './layout.ts'
import { noteTexts } from './notes.ts'
import { promptsVersion, promptWords } from './words.ts'

/** Returns the built-in prompts (`--prompts own`), in English and Chinese, for every kind of answer. */
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

/** Writes the messages of a question. `documents` is null when the prompt leaves out their contents. */
type WriteMessages = (
  question: Question,
  source: AnswerSource,
  documents: readonly PromptDocument[] | null,
  chainOfThought: boolean,
) => PromptMessages

/**
 * Returns prompts for every source of the answer, all written by one function. Further turns use the built-in words.
 */
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
    // The rules follow the documents, because small models forget what precedes them.
    user: layOutUser(question, {
      documents,
      closing: kind.closing(question, source, chainOfThought).join('\n\n'),
    }),
  }
}

/** Returns a further question of a conversation with the form of its answer, in the built-in words. */
export function ownFurtherTurn(
  question: Question,
  turn: QuestionTurn,
  source: AnswerSource,
  chainOfThought: boolean,
): string {
  const turnQuestion = { ...question, ...turn }
  const later = source === 'web' ? 'documents' : source
  const rules = promptsOfForm(turn.form).closing(turnQuestion, later, chainOfThought)
  const toolNote =
    source === 'web' ? [furtherWords[choosePromptLanguage(question.language)].furtherTurnOnline] : []
  return layOutUser(
    { ...turnQuestion, documentNames: [] },
    { documents: null, closing: [...toolNote, ...rules].join('\n\n') },
  )
}

/** Returns the sentence that names the language, for questions without a prompt in their own language. */
function languageNote({ language }: Question): string[] {
  const sentence = languageSentence(language)
  return sentence === null ? [] : [sentence]
}
