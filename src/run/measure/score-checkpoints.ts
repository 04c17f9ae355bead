import { readFile } from 'node:fs/promises'
import { textOf } from '../../../logs/blobs.ts'
import { parseTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { ifMissing } from '../../core/if-missing.ts'
import type { CheckpointScore, Score } from '../../core/score.ts'
import { type Checkpoint, checkpointOf } from '../records/checkpoint.ts'
import { scoreTask, type TaskToScore } from './score-task.ts'

/** The score with those of its attempt's shadow answers, by the same profile and judge; unchanged without any. */
export async function withCheckpoints(
  score: Score,
  toScore: Omit<TaskToScore, 'answerText'>,
  checkpoints: readonly Checkpoint[],
  blob: (hash: string) => string,
): Promise<Score> {
  if (checkpoints.length === 0 || score.status === 'unscored') return score
  const scored: CheckpointScore[] = []
  for (const { tokens, answer } of checkpoints) {
    const answerText = answer === null ? null : textOf(answer, { get: blob })
    const one = answerText === null ? null : await scoreTask({ ...toScore, answerText })
    const { passed = null, row = null, cell = null } = one?.status === 'scored' ? one : {}
    scored.push({ tokens, passed, rowF1: row?.f1 ?? null, cellF1: cell?.f1 ?? null })
  }
  return { ...score, checkpoints: scored }
}

/** The checkpoints that a trace tells of; only their lines are parsed. DataError names one that is damaged. */
export async function checkpointsOf(folder: string, attemptId: string): Promise<Checkpoint[]> {
  const path = tracePath(folder, attemptId)
  const trace = (await readFile(path, 'utf8').catch(ifMissing)) ?? ''
  const { events } = parseTrace(trace, path, line => line.includes('"type":"checkpoint"'))
  return events.flatMap(event => (event.type === 'checkpoint' ? [checkpointOf(event)] : []))
}
