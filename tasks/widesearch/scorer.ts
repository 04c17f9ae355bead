import type { Gold, TableGold } from '../../src/core/gold.ts'
import type { MetricDefinition } from '../../src/core/metric.ts'
import {
  definePrimaryMetric,
  defineScoreMetric,
  defineShareMetric,
} from '../../src/score/contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'
import { listRowsWithHeader, readGoldTable } from '../../src/score/table/gold-table.ts'
import type { Evaluator } from './score-answer.ts'
import { wideSearchGoldSchema } from './settings.ts'

const several =
  'Several answer rows can match one gold row, so the published value of an answer can exceed 1.'

const metrics: readonly MetricDefinition[] = [
  definePrimaryMetric(
    'itemF1',
    'Item F1',
    'Harmonic mean of item precision and item recall (WideSearch, arXiv 2508.07999).',
  ),
  defineShareMetric(
    'itemPrecision',
    'Item precision',
    "Share of the answer's cells, keys included, that are right.",
  ),
  defineShareMetric(
    'itemRecall',
    'Item recall',
    `Share of the gold's cells, keys included, that are right. ${several}`,
  ),
  defineScoreMetric('rowF1', 'Row F1', 'Harmonic mean of row precision and row recall.'),
  defineShareMetric(
    'rowPrecision',
    'Row precision',
    "Share of the answer's rows in which every cell is right.",
  ),
  defineShareMetric(
    'rowRecall',
    'Row recall',
    `Share of the gold's rows in which every cell is right. ${several}`,
  ),
]

/** Writes a gold table in Markdown, the only form that WideSearch reads. Line breaks in cells become blanks. */
function writeMarkdown(gold: Gold): string {
  const [header = [], ...rows] = listRowsWithHeader(readGoldTable(gold as TableGold))
  const lines = [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return `\`\`\`markdown\n${lines.map(line => line.replace(/\s*[\r\n]+\s*/g, ' ')).join('\n')}\n\`\`\`\n`
}

function createWideSearchScorer(summary: string, evaluator: () => Promise<Evaluator>): Scorer {
  return {
    summary,
    kind: 'table',
    metrics,
    configuration: wideSearchGoldSchema,
    writeGold: writeMarkdown,
    async score(input) {
      const { scoreWideSearchAnswer } = await import('./score-answer.ts')
      return await scoreWideSearchAnswer(await evaluator(), input as ScoringInput<TableGold>)
    },
  }
}

/** WideSearch's published scorer. */
export const wideSearchScorer: Scorer = {
  ...createWideSearchScorer(
    "WideSearch's published scorer: rows joined by keys, each column by its own metric",
    async () => ({
      evaluate: (await import('./evaluate.ts')).evaluateAsPublished,
      needsReadableReply: false,
    }),
  ),
  async *referenceCases(file) {
    yield* (await import('./reference-cases.ts')).scoreReferenceCases(file)
  },
}

/** WideSearch's scorer without the defects of the published code. */
export const fixedWideSearchScorer: Scorer = createWideSearchScorer(
  "WideSearch's scorer, corrected: rows matched one to one, further columns ignored, dates by their parts",
  async () => ({ evaluate: (await import('./evaluate-fixed.ts')).evaluateFixed, needsReadableReply: true }),
)

const deepMetrics: readonly MetricDefinition[] = [
  defineScoreMetric(
    'columnF1',
    'Column F1',
    "Harmonic mean of the shares of the answer's and the gold's rows that are joined by their keys (DeepWideSearch).",
  ),
  defineScoreMetric(
    'coreEntityAccuracy',
    'Core entity accuracy',
    'The answer names the hidden subject, by a judge.',
  ),
]

/** Returns the first name of the hidden subject, which a right answer must contain. */
function readSubject({ scoring }: Gold): string {
  return wideSearchGoldSchema.safeParse(scoring).data?.entity?.[0] ?? ''
}

/** DeepWideSearch's scorer: WideSearch's, after a judge has found the hidden subject in the answer. */
export const deepWideSearchScorer: Scorer = {
  kind: 'table',
  configuration: wideSearchGoldSchema,
  writeGold: gold => `${readSubject(gold)}\n\n${writeMarkdown(gold)}`,
  summary: "DeepWideSearch's scorer: WideSearch's figures, 0 unless the answer names the hidden subject",
  metrics: [...metrics, ...deepMetrics],
  async score(input) {
    const { scoreDeepAnswer } = await import('./score-deep-answer.ts')
    return await scoreDeepAnswer(input as ScoringInput<TableGold>)
  },
}
