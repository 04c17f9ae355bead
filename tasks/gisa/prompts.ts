import { createHash } from 'node:crypto'
import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'

const words = {
  web: 'Answer the question with the help of your tools. Search the web and read the pages that you find, until you know the whole answer.',
  memory: 'Answer the question from your own knowledge, without tools.',
  reasoning: 'Think step by step before you answer.',
  form: [
    'Write the answer as tab-separated values in one ```tsv block, with a header line.',
    'If the answer is one value, write one column with the header Value.',
    'If it is several values, write one column with the header Item, and one value in each line.',
    'If it is a table, write one column for each property that the question asks for, and one line for each row.',
  ].join('\n'),
}

function writeMessages(question: Question, role: string, chainOfThought: boolean): PromptMessages {
  const system = [role, words.form, ...(chainOfThought ? [words.reasoning] : [])].join('\n')
  return { system, user: question.query }
}

/** The prompts of GISA. They are the same for every type of answer, so that they do not reveal it. */
export const gisaPrompts: Prompts = {
  hash: createHash('sha256').update(JSON.stringify(words)).digest('hex'),
  missing: (_question, sources) =>
    sources?.has('documents') === true ? 'GISA has no documents. Use --setting closed-book,online.' : null,
  withDocuments: (question, _documents, chainOfThought) =>
    writeMessages(question, words.memory, chainOfThought),
  online: (question, chainOfThought) => writeMessages(question, words.web, chainOfThought),
  closedBook: (question, chainOfThought) => writeMessages(question, words.memory, chainOfThought),
  furtherTurn: (_question, turn) => turn.query,
}
