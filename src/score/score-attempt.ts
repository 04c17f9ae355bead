import type { Attempt } from '../core/attempt.ts'
import { PluginError } from '../core/errors.ts'
import type { Gold } from '../core/gold.ts'
import type { Clock } from '../core/runtime.ts'
import type { Score } from '../core/score.ts'
import type { ScoreItems } from '../core/score-items.ts'
import type { Question, ScorableTask } from '../core/task.ts'
import { isUnscoredCause } from '../core/termination.ts'
import { countValues } from '../core/value-counts.ts'
import { checkScored } from './contract/check-scored.ts'
import { type Judge, rulesJudge } from './contract/judge.ts'
import {
  type NamedScorer,
  type NotScored,
  nameRecordedJudge,
  type Scored,
  type Scorer,
} from './contract/scorer.ts'
import { readConfiguration } from './contract/scoring-configuration.ts'
import {
  explainEarlyEnd,
  explainNoAnswer,
  explainScorerFailure,
  explainUndefined,
  explainUnscored,
  type ScorerFailure,
} from './explain/explain-ending.ts'
import { addUsage, createTally } from './judge/tally.ts'
import { averageKnown } from './statistics/clusters.ts'
import { boundConversation, boundUnratedMetrics } from './unrated-bounds.ts'

/** The fields of an attempt that scoring reads. `answer` counts only when the attempt stays unscored. */
export type AttemptFields = Pick<
  Attempt,
  | 'attemptId'
  | 'taskId'
  | 'setting'
  | 'model'
  | 'trial'
  | 'options'
  | 'termination'
  | 'answer'
  | 'missingDocuments'
>

/** An attempt with everything needed to score it. */
export interface AttemptToScore {
  readonly attempt: AttemptFields
  /** The final text of each turn as the model wrote it, in order; null when there is none. Without turns, one text. */
  readonly answers: readonly (string | null)[]
  readonly task: ScorableTask
  /** A scorer that takes the task's gold. */
  readonly scorer: NamedScorer
  readonly judge: Judge
  readonly clock: Clock
  /**
   * The number of pages and documents that could not be read because the web or our infrastructure failed. Copied
   * into the score.
   */
  readonly infrastructureFailures: number
  /** An attempt succeeds when its primary metric reaches this share; null requires every item to be right. */
  readonly successAt: number | null
  /** Scores attempts that lacked documents as if they had them all. Absent: they stay unscored. */
  readonly allowMissingDocuments?: boolean
}

/**
 * Scores one attempt on its answer, however it ended. It stays unscored only when the provider, the harness, the operator or
 * the budget of the whole run ended it, when documents of it are missing, when a judge failed on all of it, or when the
 * metric has no value for it. A conversation is scored turn by turn, and its metrics are means over the turns.
 *
 * @throws DataError [invalid-scoring, invalid-score]
 * @throws PluginError [plugin-failed]
 */
export async function scoreAttempt(input: AttemptToScore): Promise<Score> {
  const { attempt } = input
  const { scorer } = input.scorer
  const cause = findCauseBeforeScoring(input)
  if (cause !== null) {
    const answered = hasReadableAnswer(attempt, scorer)
    return makeUnscoredRecord(input, { cause, answered, judgeUsage: createTally().usage() })
  }
  const turns = listTurns(input)
  const results: (Scored | NotScored)[] = []
  for (const turn of turns) results.push(await scoreTurn(turn, scorer, input))
  const answered = results.every(result => result.answered)
  const judgeUsage = results.map(result => result.judgeUsage).reduce(addUsage)
  if (results.every(result => result.status === 'unscored')) {
    const counts = (results.length === 1 ? results[0]?.counts : undefined) ?? {}
    const undefinedBecause = results.find(result => result.undefinedBecause !== undefined)?.undefinedBecause
    const cause = undefinedBecause === undefined ? 'judge' : 'undefined'
    return makeUnscoredRecord(input, { cause, answered, judgeUsage, counts, undefinedBecause })
  }
  const isRight = (result: Scored): boolean => isSuccess(result, scorer, input.successAt)
  const scored = results.length === 1 ? (results[0] as Scored) : combineTurns(results, scorer)
  const success = results.every(result => result.status === 'scored' && isRight(result))
  const explanation = scored.explanation.length > 0 ? scored.explanation : explainEnding(input)
  const recordedItems = splitItemsByKind(scored, scorer)
  const bounds =
    results.length === 1
      ? boundUnratedMetrics(results[0] as Scored, scorer.metrics)
      : boundConversation(results, scorer.metrics)
  return {
    ...identifyScore(input),
    status: 'scored',
    cause: null,
    overall: scored.overall ?? null,
    ...(scored.extract === undefined ? {} : { extract: scored.extract }),
    counts: { ...scored.counts, ...countValues([...recordedItems.cells, ...recordedItems.items]) },
    judgeUsage,
    ...recordedItems,
    explanation: [...explanation],
    answered,
    success,
    ...(input.successAt === null ? {} : { successAt: input.successAt }),
    metrics: { ...scored.metrics },
    ...(bounds === null ? {} : { bounds }),
    ...(results.length === 1 ? {} : { turns: results.map(result => makeTurnRecord(result, isRight)) }),
  }
}

/** Returns what leaves an attempt unscored whatever its answer is; null when the answer is to be scored. */
function findCauseBeforeScoring({ attempt, allowMissingDocuments = false }: AttemptToScore): string | null {
  const { termination, missingDocuments = [] } = attempt
  if (isUnscoredCause(termination.cause)) return termination.cause
  if (termination.endedByRunBudget === true) return 'run-budget'
  return missingDocuments.length > 0 && !allowMissingDocuments ? 'documents' : null
}

/**
 * The score record of an attempt whose scorer failed: unscored, with the cause `scorer`. Scoring the run again replaces it.
 *
 * @param failure recorded in the explanation
 */
export function recordFailedScorer(input: Omit<AttemptToScore, 'answers'>, failure: ScorerFailure): Score {
  const { scorer } = input.scorer
  const answered = hasReadableAnswer(input.attempt, scorer)
  const judgeUsage = createTally().usage()
  return {
    ...makeUnscoredRecord(input, { cause: 'scorer', answered, judgeUsage }),
    explanation: explainScorerFailure(input.scorer.name, failure),
  }
}

function hasReadableAnswer({ answer }: AttemptFields, { kind }: Scorer): boolean {
  return answer.parseStatus === kind && answer.rows !== 0
}

interface ScoredTurn {
  readonly answerText: string | null
  readonly question: Question
  readonly gold: Gold
}

/** The first question and the further turns, each with its gold and its answer. */
function listTurns({ task, answers }: AttemptToScore): ScoredTurn[] {
  const { question, gold, turnGolds = [] } = task
  const further = (question.turns ?? []).map((turn, at): ScoredTurn | null => {
    const goldOfTurn = turnGolds[at]
    if (goldOfTurn === undefined) return null
    return { answerText: answers[at + 1] ?? null, question: { ...question, ...turn }, gold: goldOfTurn }
  })
  return [{ answerText: answers[0] ?? null, question, gold }, ...further.filter(turn => turn !== null)]
}

async function scoreTurn(
  turn: ScoredTurn,
  scorer: Scorer,
  input: AttemptToScore,
): Promise<Scored | NotScored> {
  const { clock, attempt, task } = input
  const judge = scorer.usesJudge === false ? rulesJudge : input.judge
  const { taskId } = task.question
  const configuration = readConfiguration(scorer, input.scorer.name, turn.gold, taskId)
  const ask = async () =>
    await scorer.score({ ...turn, configuration, judge, clock, termination: attempt.termination })
  const result = await ask().catch(error => {
    throw error instanceof PluginError ? withTaskName(error, taskId) : error
  })
  checkScored(result, scorer, { scorer: input.scorer.name, taskId, gold: turn.gold })
  return result
}

/** Adds the task to the error of a plug-in's scorer. */
function withTaskName(error: PluginError, taskId: string): PluginError {
  return new PluginError(
    `task ${taskId}: ${error.message}. Correct the scorer and run the same command again; finished attempts are kept.`,
    { cause: error.cause, code: 'plugin-failed' },
  )
}

function isSuccess({ metrics, success, items }: Scored, scorer: Scorer, successAt: number | null): boolean {
  const primary = scorer.metrics.find(metric => metric.primary)
  if (successAt !== null && primary?.unit === 'share') return (metrics[primary.key] ?? -1) >= successAt
  return success ?? (items.length > 0 && items.every(({ score }) => score === 1))
}

/** The parts of a result that combine the turns of a conversation. */
type CombinedTurns = Pick<Scored, 'metrics' | 'items' | 'explanation' | 'counts' | 'extract' | 'overall'>

/** Combines the turns of a conversation. Turns on which the judge failed do not count. */
function combineTurns(results: readonly (Scored | NotScored)[], scorer: Scorer): CombinedTurns {
  const turns = results.flatMap((result, turn) => (result.status === 'scored' ? [{ result, turn }] : []))
  const scored = turns.map(({ result }) => result)
  const counts: Record<string, number> = {}
  for (const result of scored)
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count
  return {
    metrics: Object.fromEntries(
      scorer.metrics.map(({ key }) => [key, averageKnown(scored.map(({ metrics }) => metrics[key] ?? null))]),
    ),
    items: turns.flatMap(({ result, turn }) =>
      result.items.map(item => ({ ...item, turn, ...('id' in item ? { id: `${turn}:${item.id}` } : {}) })),
    ) as Scored['items'],
    explanation: turns.flatMap(({ result, turn }) =>
      result.explanation.map(sentence => `Turn ${turn + 1}: ${sentence}`),
    ),
    counts: { ...counts, turns: results.length, unscoredTurns: results.length - scored.length },
    overall: averageOverall(scored.flatMap(({ overall }) => overall ?? [])),
  }
}

/** The mean of each rating; null without ratings. */
function averageOverall(ratings: readonly NonNullable<Score['overall']>[]): Score['overall'] {
  const [first] = ratings
  if (first === undefined) return null
  const names = Object.keys(first) as (keyof typeof first)[]
  const means = names.map(name => [name, averageKnown(ratings.map(rating => rating[name]))])
  return Object.fromEntries(means) as Score['overall']
}

function makeTurnRecord(
  result: Scored | NotScored,
  isRight: (result: Scored) => boolean,
): NonNullable<Score['turns']>[number] {
  if (result.status === 'unscored') return { answered: result.answered, success: null, metrics: {} }
  return { answered: result.answered, success: isRight(result), metrics: { ...result.metrics } }
}

function identifyScore({
  attempt,
  scorer: { name, scorer },
  judge,
  infrastructureFailures,
}: Omit<AttemptToScore, 'answers'>) {
  const { attemptId, taskId, setting, model, trial, options } = attempt
  return {
    attemptId,
    taskId,
    setting,
    model,
    trial,
    options,
    scorer: name,
    kind: scorer.kind,
    judge: nameRecordedJudge(scorer, judge.name),
    infrastructureFailures,
  }
}

function makeUnscoredRecord(
  input: Omit<AttemptToScore, 'answers'>,
  { cause, ...judged }: { readonly cause: string } & Omit<NotScored, 'status'>,
): Score {
  const { answered, judgeUsage, counts = {}, undefinedBecause } = judged
  return {
    ...identifyScore(input),
    status: 'unscored',
    cause,
    overall: null,
    counts: { ...counts },
    judgeUsage,
    cells: [],
    items: [],
    explanation:
      undefinedBecause === undefined
        ? explainUnscored(cause, input.judge.name, input.attempt)
        : explainUndefined(undefinedBecause),
    answered,
    success: null,
    metrics: {},
  }
}

/** Records store the items of tables in `cells`. */
function splitItemsByKind({ items }: { readonly items: Scored['items'] }, { kind }: Scorer): ScoreItems {
  return kind === 'table'
    ? { cells: [...(items as Score['cells'])], items: [] }
    : { cells: [], items: [...(items as Score['items'])] }
}

function explainEnding({ attempt, answers }: AttemptToScore): string[] {
  const { termination } = attempt
  return answers.every(text => text === null) ? explainNoAnswer(termination) : explainEarlyEnd(termination)
}
