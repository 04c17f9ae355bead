import { type Score, scoreSchema } from '../../core/score.ts'
import { correctItems, identifyGold, listItems, unratedItems } from '../../core/score-items.ts'
import type { ScoredItem } from '../../core/scored-item.ts'
import { listGolds } from '../../core/task.ts'
import { listScoringMetrics } from '../../report/model/metrics.ts'
import { armColumns, identifyAttempt, joinColumns } from './arm-columns.ts'
import { findEvidencePlaces } from './evidence-places.ts'
import {
  boolean,
  declareTable,
  type ExportColumn,
  type ExportedAttempt,
  type ExportedRun,
  integer,
  json,
  number,
  recordColumns,
  text,
} from './table.ts'

/** One row for each attempt, scorer and judge. */
export const scores = declareTable({
  name: 'scores',
  description: 'One row for each attempt, scorer and judge.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...recordColumns(scoreSchema, {
      scorer: 'The scorer.',
      judge: 'The judge: `rules`, `none` or the name of a model.',
      status: '`scored`, or `unscored` when the attempt says nothing about the agent.',
      cause: 'What left the attempt unscored; null when scored.',
      answered: 'True when an answer of the asked kind could be read.',
      success: 'True when every item of the gold is right; null when unscored.',
      infrastructureFailures: 'Searches and fetches that failed through no fault of the agent.',
    }),
    ...integer({
      items: 'Items of the gold.',
      correctItems: 'Items of the gold that are right in the answer.',
      unratedItems: 'Items of the gold that a judge did not rate.',
    }),
    ...recordColumns(scoreSchema, {
      bounds:
        'The least and the greatest value of each metric that these items could move; null when all are rated.',
      unseenItems: 'Right items whose evidence was never shown; null when not known.',
      explanation: 'The reasons for the score, one sentence each; an empty list when there are none.',
    }),
    ...integer({
      judgeCalls: 'Calls of the judge model.',
      judgeInputTokens: 'Tokens of its prompts.',
      judgeOutputTokens: 'Tokens of its replies.',
    }),
    ...number({
      judgeUsd: 'Cost of judging; null when the price is unknown.',
      floor:
        'The primary metric of an answer with the right keys and empty cells; null for other gold, and when not known.',
      ceiling: 'The primary metric of the gold itself; null when not known.',
      keysGiven:
        'The share of gold rows whose keys the question or the names of its documents contain; null like `floor`.',
    }),
  },
  runColumns: {
    pattern: number({
      'metric.KEY':
        'The value of the metric KEY of the scorer ([scorers.md](scorers.md) lists the keys). Null when unscored, when a judge failed, and for metrics of other scorers.',
    })['metric.KEY'],
    list: runs => {
      const metrics = runs.flatMap(({ report }) =>
        Object.values(report.scorers).flatMap(scorer => scorer.metrics),
      )
      const byKey = new Map(metrics.map(metric => [metric.key, metric]))
      return [...byKey.values()].map(({ key, unit, label }) => {
        const columns = number({ [`metric.${key}`]: label }, unit === 'share' ? '0 to 1' : '')
        return columns[`metric.${key}`] as ExportColumn
      })
    },
  },
  attemptRows: source =>
    source.scores.map(({ judgeUsage, ...score }) => ({
      ...score,
      ...identifyAttempt(source),
      items: listItems(score).length,
      correctItems: correctItems(score),
      unratedItems: unratedItems(score),
      judgeCalls: judgeUsage.calls,
      judgeInputTokens: judgeUsage.inputTokens,
      judgeOutputTokens: judgeUsage.outputTokens,
      judgeUsd: judgeUsage.usd,
      ...exportLimits(source.run, score),
      ...prefixNames('metric.', score.metrics),
    })),
})

function exportLimits({ limits, report }: ExportedRun, { taskId, scorer }: Pick<Score, 'taskId' | 'scorer'>) {
  const taskLimits = limits.find(limit => limit.taskId === taskId && limit.scorer === scorer)
  const key = listScoringMetrics(report.scorers, scorer).primary?.key ?? ''
  const { floor = null, ceiling = null, keysGiven = null } = taskLimits ?? {}
  return { floor: floor?.[key] ?? null, ceiling: ceiling?.[key] ?? null, keysGiven }
}

function prefixNames<Value>(prefix: string, record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [`${prefix}${name}`, value]))
}

/** One row for each item of the gold in each score. */
export const items = declareTable({
  name: 'items',
  description: 'One row for each item of the gold (a cell, a field or an element) in each score.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...text({
      scorer: 'The scorer.',
      judge: 'The judge.',
      itemId: 'The item of the gold: for a cell its row and column, for JSON its path, for a list its index.',
    }),
    ...integer({
      turn: 'The question of a conversation, from 0.',
      goldRow: 'The row of the gold table, from 0; null for other gold.',
    }),
    ...text({
      column: 'The target column; null for other gold.',
      path: 'The place in the JSON value; null for other gold.',
    }),
    ...integer({ index: 'The place in a list, from 0; null for other gold.' }),
    ...json({
      key: 'The key columns of the gold row with their values; null for other gold, and when the tasks are missing or have changed.',
    }),
    ...text({ gold: 'The gold as text.', answer: 'What the answer has for it; null when it has nothing.' }),
    ...number({ score: 'The credit; null when a judge failed.' }, '0 to 1'),
    ...text({
      rule: 'The rule that decided, such as `numeric` or `unmatched-row`.',
      class: 'The loss class ([scoring.md](scoring.md)); null when not known.',
    }),
    ...boolean({ unseen: 'True for a right value whose evidence the attempt was never shown.' }),
    ...integer({
      answerRow:
        'The row of the answer that the gold row was compared with, from 0; null when no row matches, and when not known.',
    }),
    ...text({ matchedBy: 'What matched the rows; null like `answerRow`.' }),
    ...number({ similarity: 'Likeness of the keys; null unless similarity decided.' }, '0 to 100'),
    ...text({
      document:
        'The document of the task that contains the value, as its name in the task; null when not known. In runs that recorded no evidence also null when several contain it.',
    }),
    ...integer({
      page: 'The page of the line in `evidence`, from 1; null when not known. In runs that recorded no evidence, the page on which a tool showed the value.',
    }),
    ...text({
      evidence: 'The line of the document that contains the value; null when not known.',
      evidenceState:
        '`shown` to the model, `cut` from the prompt or the context window, or `missed`; null when not known.',
    }),
    ...integer({
      evidenceStep:
        'The model turn in which the line was shown, or in which the attempt came closest to it; null when not known.',
    }),
  },
  runColumns: {
    pattern: text({
      'key.NAME':
        'The value of the key column NAME in the gold row. Null for tasks without that column, and when the tasks are missing or have changed.',
    })['key.NAME'],
    list: runs => {
      const golds = runs.flatMap(({ tasks }) => [...tasks.values()].flatMap(listGolds))
      const names = golds.flatMap(gold => (gold.kind === 'table' ? gold.keyColumns : []))
      return Object.values(text(Object.fromEntries(names.map(name => [`key.${name}`, '']))))
    },
  },
  attemptRows: listItemRows,
})

function* listItemRows(source: ExportedAttempt) {
  const identity = identifyAttempt(source)
  const golds = source.task === null ? [] : listGolds(source.task)
  const findPlace = findEvidencePlaces(source)
  for (const score of source.scores)
    for (const item of listItems(score)) {
      const cell = 'goldRow' in item ? item : null
      const element = cell === null ? (item as ScoredItem) : null
      const gold = golds[item.turn ?? 0]
      const goldRow = cell !== null && gold?.kind === 'table' ? gold.rows[cell.goldRow] : undefined
      const key =
        goldRow === undefined || gold?.kind !== 'table'
          ? null
          : Object.fromEntries(gold.keyColumns.map(name => [name, String(goldRow[name] ?? '')]))
      const place = findPlace(item)
      const { evidence } = item
      yield {
        ...identity,
        scorer: score.scorer,
        judge: score.judge,
        itemId: identifyGold(item),
        turn: item.turn ?? 0,
        goldRow: cell?.goldRow,
        column: cell?.column,
        path: element?.path,
        index: element?.index,
        key,
        gold: item.gold,
        answer: item.predicted,
        score: item.score,
        rule: item.rule,
        class: item.class,
        unseen: item.unseen ?? false,
        answerRow: cell?.matched?.row,
        matchedBy: cell?.matched?.by,
        similarity: cell?.matched?.similarity,
        document: evidence?.document ?? place.document,
        page: evidence === undefined ? place.page : evidence.page,
        evidence: evidence?.line,
        evidenceState: evidence?.state,
        evidenceStep: evidence?.step,
        ...prefixNames('key.', key ?? {}),
      }
    }
}
