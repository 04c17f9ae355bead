/**
 * A plug-in with a benchmark, a tool and a scorer. Its tasks ask for the height of a mountain in feet. The documents contain
 * it in metres. README.md in this folder says how to run it.
 */
import { readFile } from 'node:fs/promises'
import { type BenchmarkDefinition, definePlugin, defineTool, type Scorer, type Task, z } from 'tablehunt'

/** Each line of a text file is a task: mountain, height in feet and name of a document, separated by tabs. */
const mountains: BenchmarkDefinition = {
  summary: 'a text file with a mountain, its height in feet and the name of a document per line',
  answerKinds: ['text'],
  scorers: ['height'],
  async load(path) {
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    const tasks: Task[] = []
    const skipped = []
    for (const [at, text] of lines.entries()) {
      const [mountain = '', feet = '', document] = text.split('\t')
      const line = at + 1
      if (document === undefined || numberIn(feet) === null)
        skipped.push({
          line,
          recordId: mountain,
          problem: 'Write mountain, feet and document, separated by tabs.',
        })
      else tasks.push(buildTask({ mountain, feet, document, file: path, line }))
    }
    return { tasks, skipped }
  },
}

interface MountainLine {
  readonly mountain: string
  readonly feet: string
  readonly document: string
  readonly file: string
  readonly line: number
}

function buildTask({ mountain, feet, document, file, line }: MountainLine): Task {
  return {
    question: {
      taskId: mountain,
      benchmark: 'mountains',
      domain: 'geography',
      language: 'en',
      query: `How high is ${mountain}, in feet? Answer with the number alone.`,
      documentNames: [document],
      form: { kind: 'text' },
    },
    gold: { kind: 'text', references: [feet] },
    source: { file, line },
    documents: [{ name: document }],
    evidence: { kind: 'documents', names: [document] },
  }
}

/** The last number of a text; null when there is none. */
function numberIn(text: string | null): number | null {
  const numbers = text?.match(/\d[\d,]*(\.\d+)?/g)
  return numbers ? Number(numbers.at(-1)!.replaceAll(',', '')) : null
}

/** Scores a number by its distance from the gold. */
const height: Scorer = {
  summary: 'how near the last number of the answer is to the gold',
  kind: 'text',
  metrics: [
    {
      key: 'nearness',
      label: 'nearness',
      unit: 'share',
      better: 'higher',
      primary: true,
      role: 'score',
      description: 'One minus the error as a share of the gold, 0 at least.',
      range: [0, 1],
    },
  ],
  async score({ answerText, gold }) {
    const goldText = gold.kind === 'text' ? gold.references[0]! : ''
    const answerValue = numberIn(answerText)
    const error = answerValue === null ? 1 : Math.abs(answerValue - numberIn(goldText)!) / numberIn(goldText)!
    const nearness = Math.max(0, 1 - error)
    const predicted = answerValue === null ? null : String(answerValue)
    return {
      status: 'scored',
      answered: answerValue !== null,
      metrics: { nearness },
      items: [
        { id: '0', index: 0, gold: goldText, predicted, score: nearness, rule: 'nearness', class: null },
      ],
      explanation: [`The answer says ${predicted ?? 'no number'}, the gold ${goldText}.`],
      counts: {},
      judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
    }
  },
}

export default definePlugin({
  benchmarks: { mountains },
  scorers: { height },
  tools: {
    to_feet: defineTool({
      name: 'to_feet',
      description: 'Converts a length in metres to feet.',
      schema: z.object({ metres: z.number() }),
      run: async ({ metres }) => `${Math.round(metres * 3.28084)} feet`,
    }),
  },
})
