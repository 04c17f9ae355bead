import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { scorers } from '../../../tasks/registry.ts'
import { scoreLimits } from '../../../tasks/validate/score-limits.ts'
import type { Score } from '../../core/score.ts'
import { type ScoreLimits, scoreLimitsSchema } from '../../core/score-limits.ts'
import type { Task } from '../../core/task.ts'
import { writeOutput } from '../../system/atomic-write.ts'
import { ifMissing, isWritableFile } from '../../system/files.ts'

/** A scored task under a scorer, and its limits. They are null when the scorer has none for the task. */
const fileSchema = z.array(
  z.object({ taskId: z.string(), scorer: z.string(), limits: scoreLimitsSchema.nullable() }),
)
type RecordedLimits = z.infer<typeof fileSchema>[number]

/**
 * Returns the floor and the ceiling of the scored tasks of a run. Computes what RUN/score-limits.json lacks, and records it
 * there. Leaves out tasks that are neither recorded nor at hand.
 */
export async function loadScoreLimits(
  folder: string,
  scores: readonly Score[],
  tasks: ReadonlyMap<string, Task>,
): Promise<ScoreLimits[]> {
  const path = join(folder, 'score-limits.json')
  const recorded = await readLimits(path)
  const keyOf = ({ taskId, scorer }: Pick<Score, 'taskId' | 'scorer'>): string =>
    JSON.stringify([taskId, scorer])
  const limitsByKey = new Map(recorded.map(limits => [keyOf(limits), limits]))
  for (const score of scores) {
    const task = tasks.get(score.taskId)
    if (task === undefined || limitsByKey.has(keyOf(score)) || !scorers.has(score.scorer)) continue
    const { taskId, scorer } = score
    limitsByKey.set(keyOf(score), { taskId, scorer, limits: await scoreLimits(task, scorer) })
  }
  const all = [...limitsByKey.values()]
  if (all.length > recorded.length && (await isWritableFile(path)))
    await writeOutput(path, `${JSON.stringify(all, null, 2)}\n`)
  return all.flatMap(({ limits }) => limits ?? [])
}

/** A damaged file is written again. */
async function readLimits(path: string): Promise<RecordedLimits[]> {
  const text = await readFile(path, 'utf8').catch(ifMissing)
  try {
    return text === null ? [] : fileSchema.parse(JSON.parse(text))
  } catch {
    return []
  }
}
