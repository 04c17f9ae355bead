import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Score } from '../../core/score.ts'
import { replaceFileDurably } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import type { HeldLock } from '../../system/folder-lock.ts'
import { RecordFile } from './record-file.ts'
import { scoreKey } from './record-index.ts'

/** A run that is scored again. */
export interface RunToScore {
  readonly folder: string
  readonly lock: HeldLock
  /** In the order of the plan. */
  readonly attemptIds: readonly string[]
}

/**
 * Replaces the scores of a run. A new score replaces the one of the same attempt, scorer and judge; others stay. The file
 * is replaced as a whole when `score` has ended, so an interrupted scoring changes nothing.
 *
 * @param score calls its argument with each new score
 * @returns what `score` returns
 */
export async function replaceScores<T>(
  { folder, lock, attemptIds }: RunToScore,
  score: (keep: (score: Score) => void) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'scores.jsonl')
  return await replaceFileDurably(path, async part => {
    await copyFile(path, part).catch(ifMissing)
    const file = await RecordFile.open(part, scoreKey)
    try {
      const scored = await score(newScore => file.append(newScore))
      lock.requireHeld()
      await file.putInOrder(attemptIds)
      return scored
    } finally {
      await file.close()
    }
  })
}
