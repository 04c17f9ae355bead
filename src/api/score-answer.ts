import { usualScorers } from '../../tasks/benchmark.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'
import { findScorer } from '../../tasks/scorers.ts'
import { listDefaultScorers } from '../config/benchmark-defaults.ts'
import { resolveScoring, type ScoringOptions } from '../config/scoring-config.ts'
import { ConfigError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
import type { Score } from '../core/score.ts'
import type { ScorableTask } from '../core/task.ts'
import { openJudgeAlone } from '../run/open-run/judge.ts'
import { requireScorerFor } from '../run/plan/choose-scorers.ts'
import type { Judge } from '../score/contract/judge.ts'
import type { NamedScorer } from '../score/contract/scorer.ts'
import { createFunctionJudge, type JudgeFunction } from '../score/judge/function-judge.ts'
import { type AttemptFields, scoreAttempt } from '../score/score-attempt.ts'
import type { PluginsOption } from './plugins.ts'
import { type TaskToScore, wholeTask } from './task-to-score.ts'

/**
 * Options of `score`.
 *
 * @example
 * import type { ScoreOptions } from 'tablehunt'
 *
 * const options: ScoreOptions = { scorer: 'strict', judge: 'none' }
 */
export interface ScoreOptions extends Omit<ScoringOptions, 'scorer' | 'judge'>, PluginsOption {
  /**
   * The name of a scorer. The default is the first scorer of the task's benchmark, or of all benchmarks, for
   * its kind of gold.
   */
  readonly scorer?: string
  /**
   * `rules` (default), `none`, a model as on the command line (`PROVIDER:NAME` or `PROVIDER:NAME@URL`), or a function that
   * receives a prompt and returns the model's reply.
   */
  readonly judge?: string | JudgeFunction
  /** Aborts requests to the judge. */
  readonly signal?: AbortSignal
}

/**
 * The score of an answer: a line of scores.jsonl without the fields that describe an attempt. The `class` of cells and items
 * is null, because it depends on what an attempt was shown.
 *
 * @example
 * import type { AnswerScore } from 'tablehunt'
 *
 * const isRight = (score: AnswerScore): boolean => score.success === true
 */
export type AnswerScore = Omit<
  Score,
  | 'attemptId'
  | 'setting'
  | 'model'
  | 'options'
  | 'trial'
  | 'infrastructureFailures'
  | 'checkpoints'
  | 'unseenItems'
  | 'explanation'
> & {
  /** The reasons for the score, in plain sentences. */
  readonly explanation: readonly string[]
}

type GivenAnswer = string | null | readonly (string | null)[]

/** Scores an answer as `score` does, after the plug-ins are loaded. */
export async function scoreAnswer(
  answer: GivenAnswer,
  taskToScore: TaskToScore,
  options: ScoreOptions,
): Promise<AnswerScore> {
  const task = wholeTask(taskToScore)
  const answers = listAnswers(answer, task)
  const {
    attemptId,
    setting,
    model,
    options: _options,
    trial,
    infrastructureFailures,
    ...scoreOptions
  } = await scoreAttempt({
    attempt: buildAttempt(answers, task),
    answers,
    task,
    ...(await chooseScoring(task, options)),
    clock: systemClock,
    infrastructureFailures: 0,
  })
  // Without an attempt, nothing explains why the answer is missing.
  const isMissing = answers.every(text => text === null)
  return {
    ...scoreOptions,
    explanation: isMissing ? ['There is no answer.'] : (scoreOptions.explanation ?? []),
  }
}

/** Checks that there is one answer for each question of the task. */
function listAnswers(givenAnswer: GivenAnswer, { question }: ScorableTask): readonly (string | null)[] {
  const answers: readonly unknown[] = Array.isArray(givenAnswer) ? givenAnswer : [givenAnswer]
  const questions = 1 + (question.turns?.length ?? 0)
  const areTexts = answers.every(answer => answer === null || typeof answer === 'string')
  if (areTexts && answers.length === questions) return answers as readonly (string | null)[]
  const expected =
    questions === 1 ? 'a text, or null' : `a list of ${questions} texts, with null for each missing one`
  throw new ConfigError(`task ${question.taskId}: the answer does not fit its questions. Give ${expected}.`, {
    code: 'invalid-answer',
  })
}

interface ChosenScoring {
  readonly scorer: NamedScorer
  readonly judge: Judge
  readonly successAt: number | null
}

async function chooseScoring(
  task: ScorableTask,
  { plugins, signal = new AbortController().signal, judge: judgeOption, ...options }: ScoreOptions,
): Promise<ChosenScoring> {
  const config = resolveScoring({
    ...options,
    ...(typeof judgeOption === 'function' ? {} : { judge: judgeOption }),
  })
  const [scorer = defaultScorer(task), ...otherScorers] = config.scorer ?? []
  if (otherScorers.length > 0)
    throw new ConfigError('score accepts one scorer. Call it once for each scorer.', {
      code: 'several-scorers',
    })
  const judge =
    typeof judgeOption === 'function'
      ? createFunctionJudge(judgeOption, { signal, batch: config.judgeBatch })
      : null
  requireScorerFor(task.gold, scorer, judge?.name ?? config.judge)
  return {
    scorer: findScorer(scorer),
    judge: judge ?? (await openJudgeAlone(config, { signal })),
    successAt: config.successAt,
  }
}

/** Returns the default scorer of the task's benchmark, or the usual one for its kind of gold. */
function defaultScorer({ question, gold }: ScorableTask): string {
  const { benchmark } = question
  const benchmarkScorers = benchmarks.has(benchmark) ? listDefaultScorers(benchmark, [{ question }]) : []
  return benchmarkScorers.find(name => scorers.get(name).kind === gold.kind) ?? usualScorers[gold.kind][0]!
}

/** Makes the parts of an attempt that scoring reads, for an answer without an attempt. */
function buildAttempt(
  answers: readonly (string | null)[],
  { question: { taskId } }: ScorableTask,
): AttemptFields {
  const answerProduced = answers.some(answer => answer !== null)
  return {
    attemptId: '',
    taskId,
    setting: '',
    model: '',
    trial: 0,
    options: {},
    termination: {
      cause: 'agent',
      reason: answerProduced ? 'answered' : 'answered-without-table',
      answerProduced,
      forcedFinal: false,
      lastHealthyStep: 0,
      detail: null,
    },
    answer: { csv: null, rows: null, columns: null, parseStatus: 'none', parseNote: null },
  }
}
