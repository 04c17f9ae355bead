import type { Gold, TableGold, TextGold } from '../../src/core/gold.ts'
import type { AnswerKindName, MetricDefinition } from '../../src/core/metric.ts'
import {
  definePrimaryMetric,
  defineScoreMetric,
  defineShareMetric,
} from '../../src/score/contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../../src/score/contract/scorer.ts'
import { gisaGoldSchema, readGoldGrid } from './grid.ts'

const exactMatch = definePrimaryMetric(
  'exactMatch',
  'Exact match',
  'The answer has the same values in the same shape and order; a set, the same values (GISA, arXiv 2602.08543).',
)

const textMetrics: readonly MetricDefinition[] = [
  exactMatch,
  defineScoreMetric('setF1', 'Set F1', 'F1 of the distinct values of a set. Null for other answers.'),
  defineShareMetric(
    'setPrecision',
    'Set precision',
    "Share of the answer's distinct values that are in the gold set.",
  ),
  defineShareMetric('setRecall', 'Set recall', "Share of the gold set's values that are in the answer."),
  defineScoreMetric('listF1', 'List F1', 'F1 of the values of a list, in any order. Null for other answers.'),
  defineScoreMetric('listOrder', 'List order', "Similarity of the two lists by Python's difflib."),
]

const tableMetrics: readonly MetricDefinition[] = [
  exactMatch,
  defineScoreMetric('itemF1', 'Item F1', 'F1 of the cells of a table, as pairs of column and value.'),
  defineShareMetric('itemPrecision', 'Item precision', "Share of the answer's cells that are in the gold."),
  defineShareMetric('itemRecall', 'Item recall', "Share of the gold's cells that are in the answer."),
  defineScoreMetric('rowF1', 'Row F1', 'F1 of the distinct rows, over the columns that both tables have.'),
  defineShareMetric('rowPrecision', 'Row precision', "Share of the answer's rows that are in the gold."),
  defineShareMetric('rowRecall', 'Row recall', "Share of the gold's rows that are in the answer."),
]

/** Writes the gold in a tsv fence, the form that GISA reads. */
function writeGoldAnswer({ scoring }: Gold): string {
  const { columns, rows } = readGoldGrid(gisaGoldSchema.parse(scoring)) ?? { columns: [], rows: [] }
  const quoteCell = (value: string): string => `"${value.replaceAll('"', '""')}"`
  const lines = [columns, ...rows].map(cells => cells.map(quoteCell).join('\t'))
  return `\`\`\`tsv\n${lines.join('\n')}\n\`\`\`\n`
}

const createGisaScorer = (
  kind: AnswerKindName,
  summary: string,
  metrics: readonly MetricDefinition[],
): Scorer => ({
  summary,
  usesJudge: false,
  kind,
  metrics,
  configuration: gisaGoldSchema,
  writeGold: writeGoldAnswer,
  async score(input) {
    const { scoreGisaAnswer } = await import('./score-answer.ts')
    return scoreGisaAnswer(input as ScoringInput<TableGold | TextGold>)
  },
})

/** GISA's published scorer of items, sets and lists. */
export const gisaScorer = createGisaScorer(
  'text',
  "GISA's published scorer of items, sets and lists, without a judge",
  textMetrics,
)

/** GISA's published scorer of tables. */
export const gisaTableScorer = createGisaScorer(
  'table',
  "GISA's published scorer of tables, without a judge",
  tableMetrics,
)
