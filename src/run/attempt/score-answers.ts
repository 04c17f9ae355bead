import { readStoredText } from '../../../logs/blobs.ts'
import { findScorer } from '../../../tasks/scorers.ts'
import { CodedError } from '../../core/errors.ts'
import { yieldToEventLoop } from '../../core/runtime.ts'
import { type CheckpointScore, checkpointScore, type Score } from '../../core/score.ts'
import { type AttemptToScore, recordFailedScorer, scoreAttempt } from '../../score/score-attempt.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { listScorers } from '../plan/choose-scorers.ts'
import { type AnswerTexts, listTurnTexts } from '../records/answer-files.ts'
import type { Checkpoint } from '../records/checkpoint.ts'

/** The answers of an attempt, and how they are scored. */
export interface AnswersToScore extends Omit<AttemptToScore, 'answers' | 'scorer'> {
  readonly scorers: readonly string[]
  readonly answers: AnswerTexts
  readonly checkpoints: readonly Checkpoint[]
  /** Returns a text of the run's blobs by its hash. */
  readonly blob: (hash: string) => string
  /**
   * The run that makes the attempt. When a scorer fails, the attempt stays unscored and keeps its answer, which was paid
   * for. When absent, the scorer's error is thrown.
   */
  readonly run?: { readonly cancelled: AbortSignal; withoutSecrets(text: string): string }
}

/**
 * Scores an attempt and its shadow answers by each of the scorers that take its gold.
 *
 * @throws PluginError [plugin-failed] DataError [invalid-score] without `run`. With it only what ends the run, and any
 * failure after the run was cancelled
 */
export async function scoreAnswers(input: AnswersToScore): Promise<Score[]> {
  const { scorers, answers, checkpoints, blob, run, ...attempt } = input
  const scores: Score[] = []
  for (const name of listScorers(scorers, attempt.task.gold)) {
    const toScore = { ...attempt, scorer: findScorer(name) }
    await yieldToEventLoop()
    try {
      const score = await scoreAttempt({ ...toScore, answers: listTurnTexts(answers) })
      const checkpointScores: CheckpointScore[] = []
      for (const { tokens, answer } of score.status === 'unscored' ? [] : checkpoints) {
        const text = answer === null ? null : readStoredText(answer, { get: blob })
        const shadow = text === null ? null : await scoreAttempt({ ...toScore, answers: [text] })
        checkpointScores.push(checkpointScore(tokens, shadow))
      }
      scores.push(checkpointScores.length === 0 ? score : { ...score, checkpoints: checkpointScores })
    } catch (error) {
      if (run === undefined || run.cancelled.aborted || isFatalToRun(error)) throw error
      const isCoded = error instanceof CodedError
      const code = (isCoded && error.code) || 'scorer-failed'
      const problem = readFirstLine(isCoded && error.cause instanceof Error ? error.cause : error)
      scores.push(recordFailedScorer(toScore, { problem: run.withoutSecrets(problem), code }))
    }
  }
  return scores
}
