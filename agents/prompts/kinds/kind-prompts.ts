import type { AnswerSource } from '../../../src/core/prompts.ts'
import type { AnswerForm, Question } from '../../../src/core/task.ts'

/** A question whose answer has the form F. */
type QuestionOf<F extends AnswerForm> = Question & { readonly form: F }

/** A section of the user message between the question and the documents. */
interface PromptSection {
  readonly heading: string
  readonly body: string
}

/** The built-in prompts for one kind of answer. To add a kind, write a file and an entry in `registry.ts`. */
export interface KindPrompts<F extends AnswerForm = AnswerForm> {
  /** Returns the paragraphs of the system message, without the one that names the language. */
  system(
    question: QuestionOf<F>,
    source: AnswerSource,
    chainOfThought: boolean,
  ): { readonly task: string; readonly rest: readonly string[] }
  /** Returns the sections below the question. */
  sections(question: QuestionOf<F>): readonly PromptSection[]
  /** Returns the end of the user message: the rules for the answer and its form. */
  closing(question: QuestionOf<F>, source: AnswerSource, chainOfThought: boolean): readonly string[]
  /** Returns the note that demands the answer. */
  answerNow(question: Question): string
  /**
   * Returns the queries that the form defines for `--rag-query column`; null when the model must list the columns
   * first.
   */
  queries(question: QuestionOf<F>): readonly string[] | null
}
