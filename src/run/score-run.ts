import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmarks } from '../../tasks/registry.ts'
import type { Attempt } from '../core/attempt.ts'
import { DataError } from '../core/errors.ts'
import { sha256 } from '../core/hash.ts'
import type { Score } from '../core/score.ts'
import type { Task } from '../core/task.ts'
import { scoreAttempt } from '../score/score-attempt.ts'
import { openJudge } from './judge.ts'
import { lockRun } from './lock.ts'
import { RunFolder, type RunRecords, readRun } from './run-folder.ts'

/** The gold of a run's tasks, read again from where the run read them; refused when the file has changed since. */
async function goldOf({ manifest }: RunRecords): Promise<Map<string, Task>> {
  const { tasks: path, benchmark } = manifest.config as { tasks: string; benchmark: keyof typeof benchmarks }
  const bytes = await readFile(path).catch(() => {
    throw new DataError(`${path}: the run's tasks are no longer there`)
  })
  if (sha256(bytes) !== manifest.identity.tasksSha256) {
    throw new DataError(
      `${path}: has changed since the run: scores would not be of the tasks that were asked`,
    )
  }
  const { tasks } = await benchmarks[benchmark].load(path)
  return new Map(tasks.map(task => [task.question.taskId, task]))
}

/** The answer as the model wrote it; null where there is none. */
async function answerOf(folder: string, attempt: Attempt): Promise<string | null> {
  return await readFile(join(folder, 'answers', `${attempt.attemptId}.txt`), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}

/** Scores every attempt of a run under a profile and a judge; scores of the same two are replaced, others stay. */
export async function scoreRun(folder: string, given: { profile: string; judge: string }): Promise<Score[]> {
  const judge = await openJudge(given.judge)
  const records = await readRun(folder)
  const gold = await goldOf(records)
  const lock = await lockRun(folder)
  try {
    const failures = new Map(records.scores.map(score => [score.attemptId, score.infrastructureFailures]))
    const scores: Score[] = []
    for (const attempt of records.attempts) {
      const task = gold.get(attempt.taskId)
      if (task === undefined) throw new DataError(`${attempt.taskId}: no such task in the run's tasks`)
      scores.push(
        await scoreAttempt({
          attempt,
          answerText: await answerOf(folder, attempt),
          gold: task.gold,
          language: task.question.language,
          profile: given.profile,
          judge,
          infrastructureFailures: failures.get(attempt.attemptId) ?? 0,
        }),
      )
    }
    const writer = await RunFolder.open(folder)
    await writer.appendScores(scores)
    await writer.putInOrder(records.attempts.map(attempt => attempt.attemptId))
    await writer.close()
    return scores
  } finally {
    await lock.release()
  }
}
