import type { AnswerSource } from '../../../src/core/prompts.ts'
import type { AnswerForm, Question } from '../../../src/core/task.ts'

/** A question whose answer has the form F. */
export type QuestionOf<F extends AnswerForm> = Question & { readonly form: F }

/** A section of the user message between the question and the documents. */
export interface PromptSection {
  readonly heading: string
  readonly body: string
}

/** What our prompts say for one kind of answer. One file and one line in `registry.ts`. */
export interface KindPrompts<F extends AnswerForm = AnswerForm> {
  /** The paragraphs of the system message, without the one that names the language. */
  system(
    question: QuestionOf<F>,
    source: AnswerSource,
    chainOfThought: boolean,
  ): { readonly task: string; readonly rest: readonly string[] }
  /** The sections below the question. */
  sections(question: QuestionOf<F>): readonly PromptSection[]
  /** The rules for the answer and its form: the end of the user message. */
  closing(question: QuestionOf<F>, source: AnswerSource, chainOfThought: boolean): readonly string[]
  /** What an agent is told when it must answer. */
  answerNow(question: Pick<Question, 'language'>): string
  /** `--rag-query column`: queries that the form itself gives; null: the model states the columns of a table first. */
  queries(question: QuestionOf<F>): readonly string[] | null
}
