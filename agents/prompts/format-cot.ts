import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import { sha256 } from '../../src/system/hash.ts'
import { ownPrompts } from './own-prompts.ts'

const steps = `Before you write the table, describe its form step by step:
1. How many tables are needed, and what is each of them called?
2. For each table: how many columns and rows does it have, and what are their names, in order?
3. Which syntax does the asked form need: separators, tags or commands, alignment, borders, caption?
4. Which value of the text belongs into each cell? Leave a cell empty when the text has no value for it.
Then write the table so that it has exactly the form that you described.`

/**
 * Returns the prompts of `--prompts format-cot`: the built-in prompts, with a description of the table's form as a
 * first step, after FormatCoT (Struc-Bench, arXiv 2309.08963). The words are ours.
 */
export function formatCotPrompts(): Prompts {
  const tablehuntPrompts = ownPrompts()
  const withSteps = ({ system, user }: PromptMessages): PromptMessages => ({
    system,
    user: `${user}\n\n${steps}`,
  })
  return {
    ...tablehuntPrompts,
    hash: sha256(`${tablehuntPrompts.hash}\n${steps}`),
    withDocuments: (question, documents, chainOfThought) =>
      withSteps(tablehuntPrompts.withDocuments(question, documents, chainOfThought)),
    online: (question, chainOfThought) => withSteps(tablehuntPrompts.online(question, chainOfThought)),
    closedBook: (question, chainOfThought) =>
      withSteps(tablehuntPrompts.closedBook(question, chainOfThought)),
  }
}
