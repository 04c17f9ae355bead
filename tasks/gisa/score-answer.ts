import type { z } from 'zod/v4'
import type { TableGold, TextGold } from '../../src/core/gold.ts'
import type { ScoredCell, ScoredItem } from '../../src/core/scored-item.ts'
import { answerLimits } from '../../src/score/answer/limits.ts'
import { clipRecordedText, type Scored, type ScoringInput } from '../../src/score/contract/scorer.ts'
import { makeItemAndRowMetrics } from '../../src/score/fuzzy/overlap.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { evaluateItem, evaluateList, evaluateSet, evaluateTable, type GisaFigures } from './evaluate.ts'
import {
  type GisaGrid,
  type GisaType,
  type gisaGoldSchema,
  normaliseValue,
  readAnswerGrid,
  readGoldGrid,
} from './grid.ts'

const evaluators: Readonly<Record<GisaType, (gold: GisaGrid, answer: GisaGrid | null) => GisaFigures>> = {
  item: evaluateItem,
  set: evaluateSet,
  list: evaluateList,
  table: evaluateTable,
}

/** Scores an answer to a GISA task. An answer that cannot be read scores 0. */
export function scoreGisaAnswer({
  answerText,
  gold,
  configuration,
}: ScoringInput<TableGold | TextGold>): Scored {
  const settings = configuration as z.infer<typeof gisaGoldSchema>
  const expected = readGoldGrid(settings) ?? { columns: [], rows: [] }
  const isReadable = answerText !== null && answerText.length <= answerLimits.chars
  const answer = isReadable ? readAnswerGrid(answerText) : null
  const figures = evaluators[settings.type](expected, answer)
  const isAnswered = answer !== null && answer.rows.length > 0
  const shared = {
    status: 'scored' as const,
    answered: isAnswered,
    success: figures.exactMatch,
    explanation: explain(figures, answerText, isAnswered),
    judgeUsage: createTally().usage(),
  }
  if (gold.kind === 'text')
    return {
      ...shared,
      metrics: makeTextMetrics(figures),
      items: scoreItems(gold, answer, isAnswered),
      counts: { goldItems: expected.rows.length },
    }
  return {
    ...shared,
    metrics: {
      exactMatch: Number(figures.exactMatch),
      ...makeItemAndRowMetrics(figures.item!, figures.row!),
    },
    items: scoreCells(gold, answer, isAnswered),
    counts: { goldRows: expected.rows.length, predictedRows: answer?.rows.length ?? 0 },
  }
}

function makeTextMetrics({ exactMatch, set, list }: GisaFigures): Scored['metrics'] {
  return {
    exactMatch: Number(exactMatch),
    setF1: set?.f1 ?? null,
    setPrecision: set?.precision ?? null,
    setRecall: set?.recall ?? null,
    listF1: list?.f1 ?? null,
    listOrder: list?.order ?? null,
  }
}

function explain({ exactMatch }: GisaFigures, answerText: string | null, isAnswered: boolean): string[] {
  if (answerText === null) return []
  if (!isAnswered) return ['The answer has no tab-separated values below a header, so every figure is 0.']
  return exactMatch ? ['The answer equals the gold.'] : ['The answer differs from the gold.']
}

/** The items of the gold, each with the value of the answer's last column that equals it. */
function scoreItems(gold: TextGold, answer: GisaGrid | null, isAnswered: boolean): ScoredItem[] {
  const answerValues = answer?.rows.map(row => (gold.items === undefined ? row.join('') : row.at(-1)!)) ?? []
  return (gold.items ?? gold.references.slice(0, 1)).map((text, index) => {
    return { id: String(index), index, ...takeEqual(text, answerValues, isAnswered) }
  })
}

/** Compares a gold text with values of an answer. The value that equals it is removed from them. */
function takeEqual(text: string, answerValues: string[], isAnswered: boolean) {
  const at = answerValues.indexOf(normaliseValue(text))
  const [match] = at < 0 ? [] : answerValues.splice(at, 1)
  return {
    gold: clipRecordedText(text),
    rule: isAnswered ? (match === undefined ? 'missing' : 'equal') : 'no-answer',
    class: null,
    predicted: match === undefined ? null : clipRecordedText(match),
    score: Number(match !== undefined),
  }
}

/** The gold cells that are no keys, each with an equal value in the answer's column of the same name. */
function scoreCells(
  { rows, targetColumns }: TableGold,
  answer: GisaGrid | null,
  isAnswered: boolean,
): ScoredCell[] {
  const answerColumns = new Map(answer?.columns.map((name, at) => [name, answer.rows.map(row => row[at]!)]))
  return rows.flatMap((row, goldRow) =>
    targetColumns.map(column => {
      const text = String(row[column] ?? '')
      const values = answerColumns.get(column.trim().toLowerCase().replaceAll(' ', '')) ?? []
      const { predicted, score, ...equality } = takeEqual(text, values, isAnswered)
      return { goldRow, column, ...equality, matched: null, predicted, score }
    }),
  )
}
