import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, createBlobStore } from '../../logs/blobs.ts'
import { benchmarks } from '../../tasks/registry.ts'
import type { RunConfig } from '../config.ts'
import type { Attempt } from '../core/attempt.ts'
import { DataError } from '../core/errors.ts'
import type { Score } from '../core/score.ts'
import type { Task } from '../core/task.ts'
import { createTextIndexes, type TextIndexes } from '../evidence/text-index.ts'
import type { Judge } from '../score/judge/judge.ts'
import { defaultCache } from './grounds.ts'
import { openJudge } from './judge.ts'
import { lockRun } from './lock.ts'
import { withClasses } from './measure.ts'
import { RunFolder, type RunRecords, readRun } from './run-folder.ts'
import { scoreTask } from './score-task.ts'
import { keptSight, type Sight } from './sight.ts'
import { hashOfTasks } from './tasks-hash.ts'

/** The gold of a run's tasks, read again from where the run read them; refused when the file has changed since. */
async function goldOf({ manifest }: RunRecords): Promise<Map<string, Task>> {
  const { tasks: path, benchmark } = manifest.config as { tasks: string; benchmark: keyof typeof benchmarks }
  const hash = await hashOfTasks(path).catch((error: unknown) => {
    throw new DataError(`${path}: the run's tasks are no longer there`, { cause: error })
  })
  if (hash !== manifest.identity.tasksSha256) {
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

export interface ScoreRunOptions {
  readonly profiles: readonly string[]
  readonly config: Pick<RunConfig, 'judge' | 'judgeBatch' | 'requestTimeout' | 'seed' | 'cache'>
  /** How often each attempt is scored; from the second on, only to see how stable the scores are. */
  readonly repeats: number
  readonly signal: AbortSignal
  /** Told, a line each, what the scores will lack. */
  readonly tell?: (notice: string) => void
}

/**
 * Scores every attempt of a run under each profile. Scores of the same profile and judge are replaced, others stay.
 * Gives all repeats, the first of them the one that is kept; no model under test is called.
 */
export async function scoreRun(folder: string, options: ScoreRunOptions): Promise<Score[][]> {
  const records = await readRun(folder)
  const gold = await goldOf(records)
  const lock = await lockRun(folder)
  try {
    const cacheFolder = options.config.cache ?? defaultCache(process.env)
    const sights = createSights(folder)
    const repeats: Score[][] = []
    for (let repeat = 0; repeat < options.repeats; repeat++) {
      const { config, signal } = options
      const judge = await openJudge({ config, cacheFolder, env: process.env, signal, repeat })
      repeats.push(await scoreAll(folder, records, gold, judge, options.profiles, sights))
    }
    const lack = sights.lack(records.attempts.length)
    if (lack !== null) options.tell?.(lack)
    const writer = await RunFolder.open(folder)
    await writer.appendScores(repeats[0] ?? [])
    await writer.putInOrder(records.attempts.map(attempt => attempt.attemptId))
    await writer.close()
    return repeats
  } finally {
    await lock.release()
  }
}

/** What the run kept of what its attempts saw. */
interface Sights {
  of(attempt: Attempt): Promise<Sight | null>
  /** Of how many attempts it is not known, and why; null: it is known of all. */
  lack(attempts: number): string | null
  readonly indexes: TextIndexes
}

function createSights(folder: string): Sights {
  const blobs: BlobStore = createBlobStore({ folder })
  const lacks = new Map<string, string>()
  return {
    indexes: createTextIndexes(),
    async of({ attemptId }) {
      const sight = await keptSight(folder, attemptId, blobs)
      if (!('lack' in sight)) return sight
      lacks.set(attemptId, sight.lack)
      return null
    },
    lack(attempts) {
      const [first] = lacks.values()
      if (first === undefined) return null
      return `${lacks.size} of ${attempts} attempts have lost cells without a class: ${first}`
    },
  }
}

async function scoreAll(
  folder: string,
  records: RunRecords,
  gold: ReadonlyMap<string, Task>,
  judge: Judge,
  profiles: readonly string[],
  sights: Sights,
): Promise<Score[]> {
  const failures = new Map(records.scores.map(score => [score.attemptId, score.infrastructureFailures]))
  const scores: Score[] = []
  for (const attempt of records.attempts) {
    const task = gold.get(attempt.taskId)
    if (task === undefined) throw new DataError(`${attempt.taskId}: no such task in the run's tasks`)
    for (const profile of profiles) {
      const score = await scoreTask({
        attempt,
        answerText: await answerOf(folder, attempt),
        task,
        profile,
        judge,
        infrastructureFailures: failures.get(attempt.attemptId) ?? 0,
      })
      const sight = score.cells.length === 0 ? null : await sights.of(attempt)
      scores.push(withClasses(score, attempt, task, sight, sights.indexes))
    }
  }
  return scores
}
