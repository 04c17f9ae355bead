import { readStoredText } from '../../../logs/blobs.ts'
import { namedScorer } from '../../../tasks/scorers.ts'
import { CodedError } from '../../core/errors.ts'
import { yieldToEventLoop } from '../../core/runtime.ts'
import { type CheckpointScore, checkpointScore, type Score } from '../../core/score.ts'
import { type AttemptToScore, scoreAttempt, scoreOfFailedScorer } from '../../score/score-attempt.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { firstLineOf } from '../../text/plain-text.ts'
import { scorersFor } from '../plan/choose-scorers.ts'
import { type AnswerTexts, textOfEachTurn } from '../records/answer-files.ts'
import type { Checkpoint } from '../records/checkpoint.ts'

/** The answers of an attempt. */
export interface AttemptAnswers {
  readonly answers: AnswerTexts
  readonly checkpoints: readonly Checkpoint[]
  /** Returns a text of the run's blobs by its hash. */
  readonly blob: (hash: string) => string
}

/** An attempt and one scorer that takes its gold. */
export type AttemptForScorer = Omit<AttemptToScore, 'answers'>

/**
 * Scores an attempt and its shadow answers by each of the scorers that take its gold.
 *
 * @param onFailure returns the score when a scorer throws or its result is invalid, or throws itself; by
 * default, the scorer's error is thrown
 * @throws PluginError [plugin-failed] DataError [invalid-score]
 */
export async function scoreByEach(
  scorers: readonly string[],
  attempt: Omit<AttemptForScorer, 'scorer'>,
  { answers, checkpoints, blob }: AttemptAnswers,
  onFailure?: (error: unknown, toScore: AttemptForScorer) => Score,
): Promise<Score[]> {
  const scores: Score[] = []
  for (const scorer of scorersFor(scorers, attempt.task.gold)) {
    const toScore = { ...attempt, scorer: namedScorer(scorer) }
    await yieldToEventLoop()
    try {
      const score = await scoreAttempt({ ...toScore, answers: textOfEachTurn(answers) })
      scores.push(await withCheckpoints(score, toScore, checkpoints, blob))
    } catch (error) {
      if (onFailure === undefined) throw error
      scores.push(onFailure(error, toScore))
    }
  }
  return scores
}

/**
 * Returns the score of an attempt whose scorer failed: unscored, with the cause `scorer`. The answer, which was paid for,
 * is kept.
 *
 * @throws the error itself when it ends the run, or when the run was cancelled
 */
export function leaveUnscored(
  error: unknown,
  toScore: AttemptForScorer,
  run: { readonly cancelled: AbortSignal; withoutSecrets(text: string): string },
): Score {
  if (run.cancelled.aborted || isFatalToRun(error)) throw error
  const isCoded = error instanceof CodedError
  const code = (isCoded && error.code) || 'scorer-failed'
  const problem = firstLineOf(isCoded && error.cause instanceof Error ? error.cause : error)
  return scoreOfFailedScorer(toScore, { problem: run.withoutSecrets(problem), code })
}

/** Adds the scores of the attempt's shadow answers by the same scorer and judge. Unchanged without shadow answers. */
async function withCheckpoints(
  score: Score,
  toScore: AttemptForScorer,
  checkpoints: readonly Checkpoint[],
  blob: (hash: string) => string,
): Promise<Score> {
  if (checkpoints.length === 0 || score.status === 'unscored') return score
  const scored: CheckpointScore[] = []
  for (const { tokens, answer } of checkpoints) {
    const answerText = answer === null ? null : readStoredText(answer, { get: blob })
    const one = answerText === null ? null : await scoreAttempt({ ...toScore, answers: [answerText] })
    scored.push(checkpointScore(tokens, one))
  }
  return { ...score, checkpoints: scored }
}
