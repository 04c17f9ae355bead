import { optionsText } from '../../core/arm.ts'
import { attemptSchema } from '../../core/attempt.ts'
import { describeIntervention } from '../../core/fork.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import { correctItems, identifyGold, listItems, unratedItems } from '../../core/score-items.ts'
import type { ScoredItem } from '../../core/scored-item.ts'
import { listGolds } from '../../core/task.ts'
import { usageSchema } from '../../core/usage.ts'
import { type ArmStanding, listArmStandings, sortLosses } from '../../report/model/arm-standings.ts'
import { listScoringMetrics } from '../../report/model/metrics.ts'
import type { Report } from '../../report/model/report.ts'
import { listScorings } from '../../report/model/scorings.ts'
import { findEvidencePlaces } from './evidence-places.ts'
import {
  boolean,
  declareTable,
  type ExportColumn,
  type ExportedAttempt,
  type ExportedRun,
  integer,
  json,
  jsonText,
  number,
  recordColumns,
  text,
} from './table.ts'

/** The columns that join the rows of an attempt with other tables. */
export const joinColumns = text({
  run: 'The name of the run: the name of its folder. Its path when several folders have that name.',
  attemptId: 'The attempt. Ids are unique within a run.',
})

/** The columns that say what was attempted, and how. */
const armColumns = {
  ...text({
    taskId: 'The task.',
    domain: 'The domain of the task.',
    arm: 'The id of the arm (setting, model and options), as in `report --json`.',
    setting: 'How the question was asked, such as `offline`.',
    model: 'The model under test.',
    options:
      "Options that differ from the defaults, such as `cot=off,retriever=hybrid`; `''` when none does.",
  }),
  ...integer({ trial: 'The number of the repetition, from 0.' }),
}

const identifyAttempt = ({ run, attempt, arm }: ExportedAttempt) => ({
  run: run.name,
  attemptId: attempt.attemptId,
  taskId: attempt.taskId,
  domain: attempt.domain,
  arm,
  setting: attempt.setting,
  model: attempt.model,
  options: optionsText(attempt.options),
  trial: attempt.trial,
})

/** One row for each attempt. */
export const attempts = declareTable({
  name: 'attempts',
  description: 'One row for each attempt.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...recordColumns(attemptSchema, {
      benchmark: 'The benchmark that loaded the task.',
      language: 'The language of the task.',
      facets: 'Further names and values that reports can group by; null when there are none.',
      agent: 'Who ran the attempt; null when the record does not say.',
      isolation: 'How an agent of another project was kept apart from the machine; null for other attempts.',
      seed: 'The seed of the run.',
      startedAt: 'When the attempt began.',
      endedAt: 'When it ended.',
    }),
    ...text({
      cause: 'What ended the attempt.',
      reason: 'Why it ended, as one of a closed set for each cause.',
      parseStatus: 'The kind of answer that could be read; `unreadable` or `none` otherwise.',
      parseNote: 'What was unusual about the answer; null when there is nothing to say.',
    }),
    ...integer({ answerRows: 'Data rows of the answer; null when no table could be read.' }),
    ...json({ answerColumns: 'The names of the columns of the answer; null when no table could be read.' }),
    ...text({
      answer:
        'The answer as read: a table as CSV, a JSON value as JSON, or a text. Null when none could be read.',
    }),
    ...recordColumns(usageSchema, {
      inputTokens: 'Tokens of all prompts, cached ones included; null when not known.',
      cachedInputTokens: 'Those of `inputTokens` that came from a cache; null when not known.',
      outputTokens: 'Tokens of all answers, reasoning included; null when not known.',
      reasoningTokens: 'Those of `outputTokens` that were reasoning; null when not known.',
      modelCalls: 'Calls of the model under test; null when not known.',
      searchCalls: 'Searches; null when not known.',
      fetchCalls: 'Fetches of pages and documents; null when not known.',
      toolErrors: 'Tool calls that failed; null when not known.',
      wallMs: 'Time from the beginning to the end; null when not known.',
      workingMs: '`wallMs` without the waits before retries; null when not known.',
      usd: 'Cost of model, searches and fetches together; null when a price is unknown.',
      usdModel: 'Cost of the model; null when its price is unknown.',
      usdSearch: 'Cost of the searches; null when their price is unknown.',
      usdFetch: 'Cost of the fetches; null when their price is unknown.',
    }),
    ...text({
      retriever: 'The retriever; null in other settings than rag.',
      embedder: 'The embedder; null in other settings than rag.',
    }),
    ...integer({ retrievedChunks: 'Chunks in the prompt; null in other settings than rag.' }),
    ...number({
      evidenceInPrompt:
        'Share of the findable gold cells whose evidence is in the prompt; null in other settings than rag, and when not known.',
    }),
    ...boolean({
      usageUncertain:
        "True when the provider's counts do not add up in any known form, so that tokens and cost are a guess.",
    }),
    ...json({
      missingDocuments:
        'The names of documents that the setting should have received and that have no readable text; null when all were read.',
    }),
    ...number({
      surfacedRecall:
        'Share of the documents that a search result led to; null in other settings than online, and when not known.',
      openedRecall: 'Share of the documents that were opened; null like `surfacedRecall`.',
      parsedRecall: 'Share of the documents of which text was shown; null like `surfacedRecall`.',
      usedRecall:
        'Share of the documents of which a right value of the answer was shown; null like `surfacedRecall`.',
    }),
    ...boolean({ tainted: 'True when the attempt met, or asked for, a source that gives answers away.' }),
    ...text({
      forkedFrom: 'The attempt of which this one is a fork; null for other attempts.',
      intervention: 'What a fork changed, such as `give`; null for other attempts.',
      forkedClass: 'The loss class that a fork is about (`causes`); null for other attempts.',
    }),
    ...integer({ forkStep: 'The first model turn of a fork that was asked live; null for other attempts.' }),
    ...boolean({
      tookEffect:
        'False when the change of a fork changed nothing; null when it always does, and for other attempts.',
    }),
  },
  attemptRows: source => {
    const { termination, answer, usage, retrieval, discovery, missingDocuments, fork, ...attempt } =
      source.attempt
    return [
      {
        ...attempt,
        ...identifyAttempt(source),
        ...termination,
        ...answer,
        answerRows: answer.rows,
        answerColumns: answer.columns,
        answer: answer.csv ?? answer.text ?? jsonText(answer.json),
        ...usage,
        ...retrieval,
        retrievedChunks: retrieval?.chunksInPrompt,
        usageUncertain: usage.uncertain === true,
        missingDocuments: missingDocuments?.map(({ name }) => name),
        surfacedRecall: discovery?.recall.surfaced,
        openedRecall: discovery?.recall.opened,
        parsedRecall: discovery?.recall.parsed,
        usedRecall: discovery?.recall.used,
        tainted: source.isTainted,
        forkedFrom: fork?.attemptId,
        intervention: fork && describeIntervention(fork.intervention),
        forkedClass: fork?.lossClass,
        forkStep: fork?.atStep,
        tookEffect: fork?.tookEffect,
      },
    ]
  },
})

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
  attemptRows: itemRows,
})

function* itemRows(source: ExportedAttempt) {
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

/** Why and how each attempt ended. */
export const terminations = declareTable({
  name: 'terminations',
  description: 'One row for each attempt: why and how it ended.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...text({
      cause: 'What ended the attempt: the agent itself, a budget, a provider, the harness or the operator.',
      reason: 'Why, as one of a closed set for each cause.',
    }),
    ...boolean({
      answerProduced: 'True when an answer of the asked kind could be read.',
      forcedFinal: 'True when a budget ran out and the model was asked for its final answer.',
    }),
    ...integer({
      lastHealthyStep: 'The last model turn, from 1, that ended without a failure; 0 when there was none.',
    }),
    ...text({
      detail: 'What exactly ended the attempt; null when cause and reason say all.',
      fatalService: 'The service whose failure only the operator can fix; null for any other end.',
    }),
  },
  attemptRows: source => [{ ...source.attempt.termination, ...identifyAttempt(source) }],
})

/** One row for each attempt and document of its task. */
export const documents = declareTable({
  name: 'documents',
  description:
    'One row for each attempt and document of its task: what the prompt contained, or what the agent found.',
  columns: {
    ...joinColumns,
    ...armColumns,
    ...text({ document: 'The name of the document, as the task gives it.' }),
    ...integer({
      chars: 'Length of its text (offline, rag); null in other settings.',
      charsInPrompt: 'How much of it is in the prompt (offline, rag); null in other settings.',
    }),
    ...text({
      problem:
        'Why its text, or part of it, could not be read; null when all could be, and in other settings.',
    }),
    ...integer({
      surfacedStep: 'The model turn in which a search result led to it (online); null when none did.',
      openedStep: 'The model turn in which a call downloaded it (online); null when none did.',
      parsedStep: 'The model turn in which text of it was shown (online); null when none was.',
      usedStep:
        'The model turn that showed a value which the answer has right (online); null when there is none.',
      triedStep:
        'The model turn of the first failed try to open it (online); null when it was opened or never tried.',
    }),
    ...text({
      query: 'The query that found it (online); null when no search did.',
      url: 'The address that it was found or opened at (online); null when it was neither.',
    }),
  },
  attemptRows: source => {
    const { context, discovery } = source.attempt
    const inPrompt = new Map(context?.documents.map(document => [document.hint, document]))
    const toFind = new Map(discovery?.hints.map(document => [document.hint, document]))
    const names = new Set([...inPrompt.keys(), ...toFind.keys()])
    return [...names].map(document => ({
      ...inPrompt.get(document),
      ...toFind.get(document),
      ...identifyAttempt(source),
      document,
    }))
  },
})

/** One row for each arm and scoring of a run. */
export const arms = declareTable({
  name: 'arms',
  description:
    'One row for each arm and scoring of a run: score, difference to the baseline, losses and cost, over the tasks that stand side by side ([statistics.md](statistics.md#means-that-stand-side-by-side)).',
  columns: {
    ...text({
      run: 'The name of the run.',
      arm: 'The id of the arm.',
      setting: 'How the question was asked.',
      model: 'The model under test.',
      options: "Options that differ from the defaults; `''` when none does.",
      scorer: 'The scorer.',
      judge: 'The judge.',
      metric: 'The key of the primary metric.',
    }),
    ...boolean({ isBaseline: 'Whether the others are compared with this arm.' }),
    ...integer({
      n: 'Attempts, over all tasks of the arm.',
      scored: 'Attempts with a score, over all tasks of the arm.',
      tasks: 'The tasks of `mean`, losses and cost: those that all arms scored, or else all of the arm.',
      pairedTasks: 'Tasks scored in the arm and in the baseline; null for the baseline.',
    }),
    ...number({
      mean: 'The mean of the metric, in its unit.',
      low: 'The lower end of its 95% interval; null when there are too few components.',
      high: 'The upper end of this interval.',
      ownMean: 'The mean over all tasks of the arm.',
      difference: 'The arm minus the baseline, over `pairedTasks`; null for the baseline.',
      simultaneousLow: 'The lower end of its simultaneous 95% interval for all differences of the scoring.',
      simultaneousHigh: 'The upper end of this interval.',
    }),
    ...number(
      {
        pValueHolm: 'The p-value of the difference, corrected for all differences of the scoring by Holm.',
        lost: 'The share of the gold items that is not correct; null when unknown.',
      },
      '0 to 1',
    ),
    ...text({ largestLoss: 'The class with the largest share of the gold items; null without a loss.' }),
    ...json({ losses: 'The share of the gold items that each class of lost items has.' }),
    ...number({
      usd: 'US dollars for an attempt.',
      wallMs: 'Milliseconds of an attempt.',
      tokens: 'Tokens of an attempt.',
      usdPerCorrectItem: 'What all scored attempts cost, divided by their correct items.',
      wallMsPerCorrectItem: 'The same for milliseconds.',
      tokensPerCorrectItem: 'The same for tokens.',
    }),
  },
  runRows: ({ name, report }: ExportedRun) =>
    listScorings(report.groups).flatMap(scoring =>
      listArmStandings(report, scoring).map(standing => ({ run: name, ...armRow(standing, report) })),
    ),
})

function armRow({ group, own, isBaseline, difference, losses }: ArmStanding, { scorers }: Report) {
  const { arm, setting, model, scorer, judge, efficiency, usd, wallMs, tokens } = group
  const metric = listScoringMetrics(scorers, scorer).primary?.key ?? ''
  const { mean = null, low = null, high = null } = group.metrics[metric] ?? {}
  const { simultaneousLow = null, simultaneousHigh = null, pValueHolm = null } = difference ?? {}
  return {
    ...{ arm, setting, model, options: optionsText(group.options), scorer, judge, metric, isBaseline },
    ...{ n: own.n, scored: own.scored, tasks: group.tasks, pairedTasks: difference?.n ?? null },
    ...{ mean, low, high, ownMean: own.metrics[metric]?.mean ?? null },
    ...{ difference: difference?.mean ?? null, simultaneousLow, simultaneousHigh, pValueHolm },
    lost: losses.recall === null ? null : 1 - losses.recall,
    largestLoss: sortLosses(losses)[0]?.[0] ?? null,
    losses: Object.fromEntries(losses.classes),
    ...{ usd, wallMs, tokens, usdPerCorrectItem: efficiency.usdPerCorrectCell },
    wallMsPerCorrectItem: efficiency.wallMsPerCorrectCell,
    tokensPerCorrectItem: efficiency.tokensPerCorrectCell,
  }
}

/** One row for each difference between two arms of a run. */
export const differences = declareTable({
  name: 'differences',
  description:
    'One row for each difference between two arms of a run, paired over tasks ([statistics.md](statistics.md)).',
  columns: {
    ...text({
      run: 'The name of the run.',
      fromArm: 'The id of the arm that is compared with.',
      toArm: 'The id of the arm that is compared.',
      from: 'The name of `fromArm`: its setting, with its options.',
      to: 'The name of `toArm`.',
    }),
    ...boolean({
      againstFirst: 'False for a difference between two arms of which neither is the default or the first.',
    }),
    ...text({
      domain: 'The domain; `all` for all tasks.',
      model: 'The model, or both models of a difference between models.',
      scorer: 'The scorer.',
      judge: 'The judge.',
      metric: 'The key of the metric.',
    }),
    ...integer({
      tasks: 'Tasks scored in both arms.',
      components: 'Groups of tasks that share documents: the independent units of interval and test.',
    }),
    ...number({
      mean: '`toArm` minus `fromArm`, in the unit of the metric.',
      low: 'The lower end of the 95% interval of this difference alone; null when there are too few components.',
      high: 'The upper end of this interval.',
      simultaneousLow:
        'The lower end of the simultaneous 95% interval for all tests of its table; null like `low`.',
      simultaneousHigh: 'The upper end of this interval.',
      detectable:
        'The smallest difference that 80% of such runs find with `pValueHolm` at most 0.05; null when they find none.',
    }),
    ...number(
      {
        pValue: 'Of a sign-flip permutation test; null for fewer than five components.',
        pValueHolm: '`pValue` corrected for the other p-values of its table by Holm; null like it.',
        leastHolm: 'The least `pValueHolm` that so many components and tests allow; null like it.',
        unseenShare:
          'Present when the intervals are too narrow for such scores: the share of components with other scores that could have gone unseen.',
      },
      '0 to 1',
    ),
  },
  runRows: ({ name, report }: ExportedRun) =>
    report.differences.map(row => ({ ...row, run: name, toArm: row.arm, tasks: row.n })),
})
