import type { Gold, TableGold } from '../../src/core/gold.ts'
import type { MetricValues } from '../../src/core/metric.ts'
import { systemClock } from '../../src/core/runtime.ts'
import type { ScoreLimits } from '../../src/core/score-limits.ts'
import type { Question, Task } from '../../src/core/task.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import type { NotScored, Scored, Scorer } from '../../src/score/contract/scorer.ts'
import { readConfiguration } from '../../src/score/contract/scoring-configuration.ts'
import { containsAtWords, foldText } from '../../src/text/fold.ts'
import { findAnswerKind } from '../kinds/answer-kinds.ts'
import { scorers } from '../registry.ts'

/**
 * Scores the gold of a task, and an answer with its keys and empty cells, by fixed rules.
 *
 * @returns null for a conversation, for another kind of answer, and for a scorer that needs a judge model
 */
export async function scoreLimits(
  { question, gold, turnGolds = [] }: Task,
  scorerName: string,
): Promise<ScoreLimits | null> {
  const { kind, needsJudgeModel } = scorers.get(scorerName)
  if (kind !== gold.kind || needsJudgeModel === true || turnGolds.length > 0) return null
  const keysAlone = hasKeys(gold) ? blankTargets(gold) : null
  const metricsOf = async (answer: Gold): Promise<MetricValues | null> => {
    // A scorer that fails is reported where it scores attempts.
    const scored = await scoreGoldAs(answer, scorerName, { question, gold }).catch(() => null)
    return scored?.status === 'scored' ? scored.metrics : null
  }
  return {
    taskId: question.taskId,
    scorer: scorerName,
    floor: keysAlone === null ? null : await metricsOf(keysAlone),
    ceiling: await metricsOf(gold),
    keysGiven: hasKeys(gold) ? computeShareOfKeysGiven(question, gold) : null,
  }
}

/** Scores a gold, or a changed copy of it, as if it were the answer. */
export async function scoreGoldAs(
  answer: Gold,
  scorerName: string,
  { question, gold }: { readonly question: Question; readonly gold: Gold },
): Promise<Scored | NotScored> {
  const scorer = scorers.get(scorerName)
  return await scorer.score({
    answerText: writeGoldAsText(scorer, answer),
    question,
    gold,
    configuration: readConfiguration(scorer, scorerName, gold, question.taskId),
    judge: rulesJudge,
    clock: systemClock,
    termination: goldAsAnswer,
  })
}

/** Writes a gold as an answer in a form that the scorer reads. */
export function writeGoldAsText({ writeGold }: Scorer, gold: Gold): string {
  return writeGold === undefined ? findAnswerKind(gold).write(gold) : writeGold(gold)
}

function hasKeys(gold: Gold): gold is TableGold {
  return gold.kind === 'table' && gold.keyColumns.length > 0 && gold.rows.length > 0
}

function blankTargets(gold: TableGold): TableGold {
  const rows = gold.rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, gold.keyColumns.includes(column) ? value : null]),
    ),
  )
  return { ...gold, rows }
}

/**
 * The share of gold rows whose keys are all in the question or in the names of its documents, as whole words. An answer gets
 * these keys without a document. An empty key counts as named.
 */
function computeShareOfKeysGiven(
  { query, documentNames }: Question,
  { rows, keyColumns }: TableGold,
): number {
  const folded = [query, ...documentNames.map(name => name.replaceAll('_', ' '))].map(foldText)
  const isNamed = (key: string): boolean =>
    key === '' || folded.some(text => containsAtWords(text, foldText(key).text))
  const keys = rows.map(row => keyColumns.map(column => String(row[column] ?? '').trim()))
  const namedKeys = keys.filter(rowKeys => rowKeys.some(key => key !== '') && rowKeys.every(isNamed))
  return namedKeys.length / rows.length
}

/** The termination of an attempt that answers with the gold. */
const goldAsAnswer = {
  cause: 'agent',
  reason: 'answered',
  answerProduced: true,
  forcedFinal: false,
  lastHealthyStep: 0,
  detail: null,
} as const
