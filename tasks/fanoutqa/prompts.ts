import { createHash } from 'node:crypto'
import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { keyColumn, valueColumn } from './load.ts'

const words = {
  documents: 'Answer the question from the documents that precede it. Use only what they say.',
  web: 'Answer the question with the help of your tools. Search the web and read the pages that you find, until you know every value that the question asks for.',
  memory: 'Answer the question from your own knowledge, without tools.',
  reasoning: 'Think step by step before you answer.',
  table: `Write the answer as a Markdown table with the columns ${keyColumn} and ${valueColumn}, and one row for each item that the question asks about.`,
  list: 'Write the answer as a list with one item per line, between <answer> and </answer>.',
  text: 'Write only the answer, between <answer> and </answer>.',
}

const describeForm = ({ form }: Question): string =>
  form.kind === 'text' ? (form.isList === true ? words.list : words.text) : words.table

function writeMessages(question: Question, role: string, chainOfThought: boolean): PromptMessages {
  const system = [role, describeForm(question), ...(chainOfThought ? [words.reasoning] : [])].join('\n')
  return { system, user: question.query }
}

/** The prompts of FanOutQA. A Markdown table separates numbers by more than a comma, which the published scorer needs. */
export const fanOutPrompts: Prompts = {
  hash: createHash('sha256').update(JSON.stringify(words)).digest('hex'),
  withDocuments(question, documents, chainOfThought) {
    const { system, user } = writeMessages(question, words.documents, chainOfThought)
    const texts = documents.map(
      ({ name, text, problem }) => `Document ${name}\n${text === '' ? `(not available: ${problem})` : text}`,
    )
    return { system, user: [...texts, `Question: ${user}`].join('\n\n') }
  },
  online: (question, chainOfThought) => writeMessages(question, words.web, chainOfThought),
  closedBook: (question, chainOfThought) => writeMessages(question, words.memory, chainOfThought),
  furtherTurn: (_question, turn) => turn.query,
}
