import { z } from 'zod/v4'
import { ToolError } from '../src/core/errors.ts'
import { calculate, functionNames } from './calculator.ts'
import { langChainTool } from './langchain-tool.ts'
import type { ToolFactory } from './tool.ts'

const schema = z.object({
  expressions: z
    .array(z.string().trim().min(1).max(1_000))
    .min(1)
    .max(50)
    .describe(
      'Expressions such as "(5131 - 4936) / 4936 * 100" or "days(\\"2024-01-31\\", \\"2024-03-31\\")", without thousands separators.',
    ),
})

/** calculate evaluates arithmetic expressions and differences of dates. It needs no web and no budget. */
export const createCalculate: ToolFactory = () =>
  langChainTool({
    name: 'calculate',
    description: `Calculates arithmetic expressions and differences between dates exactly. It knows + - * / ^ % and ${functionNames.join(', ')}. Returns one line for each expression.`,
    schema,
    async run({ expressions }) {
      const answered = expressions.map(answerOne)
      const [failure] = answered.flatMap(({ error }) => error ?? [])
      if (failure !== undefined && answered.every(({ error }) => error !== null)) throw failure
      const text = answered.map(({ line }) => line).join('\n')
      return [text, { truncated: false, observations: [] }]
    },
  })

function answerOne(expression: string): { readonly line: string; readonly error: ToolError | null } {
  try {
    return { line: `${expression} = ${calculate(expression)}`, error: null }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { line: `${expression}: ${error.message}`, error }
  }
}
