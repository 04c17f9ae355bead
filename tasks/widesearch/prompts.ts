import { createHash } from 'node:crypto'
import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'

/** The question itself says what the answer must look like. */
const rules = {
  web: 'Answer the question with the help of your tools. Search the web and read the pages that you find, until you have every row and every column that the question asks for. Then write the answer in the form that the question asks for.',
  memory:
    'Answer the question from your own knowledge, without tools. Write the answer in the form that the question asks for.',
}
const reasoning = 'Think step by step before you answer.'

const writeMessages = (question: Question, system: string, chainOfThought: boolean): PromptMessages => ({
  system: chainOfThought ? `${system} ${reasoning}` : system,
  user: question.query,
})

/** The prompts of WideSearch: the question as it is published, without a form of the answer of our own. */
export const wideSearchPrompts: Prompts = {
  hash: createHash('sha256').update(JSON.stringify({ rules, reasoning })).digest('hex'),
  missing: (_question, sources) =>
    sources?.has('documents') === true
      ? 'WideSearch has no documents. Use --setting closed-book,online.'
      : null,
  withDocuments: (question, _documents, chainOfThought) =>
    writeMessages(question, rules.memory, chainOfThought),
  online: (question, chainOfThought) => writeMessages(question, rules.web, chainOfThought),
  closedBook: (question, chainOfThought) => writeMessages(question, rules.memory, chainOfThought),
  furtherTurn: (_question, turn) => turn.query,
}
