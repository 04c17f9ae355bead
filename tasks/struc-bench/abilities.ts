import { z } from 'zod/v4'
import { readJsonObject } from '../../src/score/judge/read-reply.ts'
import { makeNotScored, makeScored, type TextMetric } from '../../src/score/metrics/metric.ts'

/** What the benchmark tells the judge of the abilities. */
export const abilityInputSchema = z.object({
  /** The text that the table is made of. Absent when the question contains it. */
  input: z.string().optional(),
})

/** The abilities of Struc-Bench's ability map (its Figure 3), in the order of the chart. */
export const abilities = [
  { name: 'coverage', label: 'Coverage', question: 'Is everything that the input states in the table?' },
  {
    name: 'formattingReasoning',
    label: 'Formatting reasoning',
    question: 'Does the table have the structure that fits the input: its rows, columns and their names?',
  },
  {
    name: 'comprehension',
    label: 'Comprehension',
    question: 'Is the input understood, also where the table needs a sum or a comparison?',
  },
  {
    name: 'pragmatics',
    label: 'Pragmatics',
    question: 'Is the syntax of the asked form (text, HTML tags or LaTeX commands) used correctly?',
  },
  {
    name: 'hallucination',
    label: 'Hallucination control',
    question: 'Is everything in the table supported by the input? 10 when nothing is invented.',
  },
] as const

/**
 * Struc-Bench's ability map. The paper's ratings come from people, and it prints no numbers. Here a judge model rates
 * each ability from 0 to 10, given the question, the input that the table was made of, the reference and the answer.
 */
export const abilityMap: TextMetric = {
  async score({ question, reference, prediction, judge, configuration }) {
    if (judge.kind !== 'model') return makeNotScored('needs a judge model')
    const outcome = await judge.ask({
      prompt: promptOf({ task: writeTask(question, configuration), reference, table: prediction }),
      maxOutputTokens: 1000,
      parse: readRatings,
    })
    const ratings = outcome.value
    if (ratings === null) return makeNotScored(outcome.failure ?? 'the judge failed')
    const sum = abilities.reduce((total, { name }) => total + ratings[name]!, 0)
    return makeScored(sum / (10 * abilities.length), ratings)
  },
}

function readRatings(reply: string): Record<string, number> | null {
  const start = reply.lastIndexOf('{')
  const object = start < 0 ? null : readJsonObject(reply.slice(start))
  const ratings: Record<string, number> = {}
  for (const { name } of abilities) {
    const value = object?.[name]
    if (typeof value !== 'number' || value < 0 || value > 10) return null
    ratings[name] = value
  }
  return ratings
}

/** The question with its input. A question without a separate input contains it. */
function writeTask(question: string, configuration: unknown): string {
  const { input } = (configuration ?? {}) as z.infer<typeof abilityInputSchema>
  return input === undefined ? question : `${question}\n\nInput:\n${input}`
}

interface RatedTable {
  readonly task: string
  readonly reference: string
  readonly table: string
}

const promptOf = ({ task, reference, table }: RatedTable): string =>
  `A program was asked to write a table. Rate its table from 0 (worst) to 10 (best) for each of these abilities.
${abilities.map(({ name, question: asked }) => `${name}: ${asked}`).join('\n')}

<task>
${task}
</task>
<reference>
${reference}
</reference>
<table>
${table}
</table>

Think about each ability. Then end with one JSON object: {${abilities.map(({ name }) => `"${name}": NUMBER`).join(', ')}}`
