import { readFile } from 'node:fs/promises'
import { textOf } from '../../../logs/blobs.ts'
import { parseTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { type CheckpointScore, checkpointScore, type Score } from '../../core/score.ts'
import { type AttemptToScore, scoreAttempt } from '../../score/score-attempt.ts'
import { ifMissing } from '../../system/files.ts'
import { scorersFor } from '../plan/choose-scorers.ts'
import { type AnswerTexts, textOfEachTurn } from '../records/answer-files.ts'
import { type Checkpoint, checkpointOf } from '../records/checkpoint.ts'

/** What an attempt answered. */
export interface AttemptAnswers {
  readonly answers: AnswerTexts
  readonly checkpoints: readonly Checkpoint[]
  /** A text of the run's blobs by its hash. */
  readonly blob: (hash: string) => string
}

/** Scores an attempt, with its shadow answers, by each of the scorers that take its gold. */
export async function scoreByEach(
  scorers: readonly string[],
  attempt: Omit<AttemptToScore, 'answers' | 'scorer'>,
  { answers, checkpoints, blob }: AttemptAnswers,
): Promise<Score[]> {
  const scores: Score[] = []
  for (const scorer of scorersFor(scorers, attempt.task.gold)) {
    const toScore = { ...attempt, scorer }
    const score = await scoreAttempt({ ...toScore, answers: textOfEachTurn(answers) })
    scores.push(await withCheckpoints(score, toScore, checkpoints, blob))
  }
  return scores
}

/** The score with the scores of its attempt's shadow answers, by the same scorer and judge; unchanged without any. */
async function withCheckpoints(
  score: Score,
  toScore: Omit<AttemptToScore, 'answers'>,
  checkpoints: readonly Checkpoint[],
  blob: (hash: string) => string,
): Promise<Score> {
  if (checkpoints.length === 0 || score.status === 'unscored') return score
  const scored: CheckpointScore[] = []
  for (const { tokens, answer } of checkpoints) {
    const answerText = answer === null ? null : textOf(answer, { get: blob })
    const one = answerText === null ? null : await scoreAttempt({ ...toScore, answers: [answerText] })
    scored.push(checkpointScore(tokens, one))
  }
  return { ...score, checkpoints: scored }
}

/** The checkpoints in a trace; only their lines are parsed. DataError names a damaged one. */
export async function checkpointsOf(folder: string, attemptId: string): Promise<Checkpoint[]> {
  const path = tracePath(folder, attemptId)
  const trace = (await readFile(path, 'utf8').catch(ifMissing)) ?? ''
  const { events } = parseTrace(trace, path, line => line.includes('"type":"checkpoint"'))
  return events.flatMap(event => (event.type === 'checkpoint' ? [checkpointOf(event)] : []))
}
