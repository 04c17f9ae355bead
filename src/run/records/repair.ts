import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { isPartialFile } from '../../system/atomic-write.ts'
import { ifMissing, requireRegularFile } from '../../system/files.ts'
import { type FileList, fileListSchema, findDamagedAttempts, formatDamage } from './attempt-files.ts'
import {
  appendLines,
  DamagedLineError,
  dropPartialLine,
  iterateCompleteLines,
  iterateRecords,
  type LineSpan,
  parseLine,
  readRecords,
  reorderLines,
} from './json-lines.ts'
import { findLostLeaks, restoreLeaks } from './lost-leaks.ts'
import { attemptKey, indexRecords, type PlacedLine } from './record-index.ts'
import { moveToSuperseded, nameSupersededFile } from './superseded.ts'

/**
 * Repairs a run's files before the run is resumed. The caller holds the run's lock.
 * - A half-written last line is removed.
 * - A line that was changed after it was written is moved to damaged.txt. Its attempt has no record any more, and is made
 *   again. An attempt with a damaged score is moved to superseded.jsonl, and is made again too.
 * - So is an attempt with a file that is missing or has changed since the attempt was recorded.
 *
 * @returns one line for each repair
 */
export async function repairRun(folder: string): Promise<string[]> {
  const [attempts, scores] = [join(folder, 'attempts.jsonl'), join(folder, 'scores.jsonl')]
  const notices: string[] = []
  await removeUnfinishedFiles(folder)
  for (const path of [attempts, scores, nameSupersededFile(folder), join(folder, 'leaks.jsonl')]) {
    const cut = await dropPartialLine(path)
    if (cut > 0) notices.push(`${path}: removed a half written last line (${cut} bytes)`)
    const damaged = await moveDamagedLines(folder, path)
    const effect = path === attempts || path === scores ? '; its attempt is made again' : ''
    notices.push(...damaged.map(problem => `${problem}; moved to damaged.txt${effect}`))
    if (path === scores && damaged.length > 0) {
      const scored = await readAttemptIds(scores)
      await setAside(folder, attemptId => !scored.has(attemptId))
    }
  }
  const records = await readRecords(attempts, fileListSchema)
  const recorded = new Set(records.map(({ attemptId }) => attemptId))
  const unrecorded = [...(await readAttemptIds(scores))].filter(attemptId => !recorded.has(attemptId)).length
  if (unrecorded > 0)
    notices.push(
      `${attempts}: no line for ${unrecorded} attempts that have scores: the lines were lost, or the run was killed before it wrote them; these attempts are made again`,
    )
  const restored = await restoreLeaks(folder, await findLostLeaks(folder, records))
  if (restored > 0)
    notices.push(
      `${join(folder, 'leaks.jsonl')}: restored the leaks of ${restored} attempts from their traces`,
    )
  return [...notices, ...(await setDamagedAside(folder, records))]
}

/** Removes the temporary files that a killed process left while it replaced a file. */
export async function removeUnfinishedFiles(folder: string): Promise<void> {
  for (const place of ['', 'answers', 'traces', 'traces/blobs']) {
    const names = (await readdir(join(folder, place)).catch(ifMissing)) ?? []
    for (const name of names.filter(isPartialFile)) await rm(join(folder, place, name), { force: true })
  }
}

/**
 * Moves the damaged lines of a file of records to damaged.txt. The caller holds the run's lock.
 *
 * @returns what is wrong with each line
 */
export async function moveDamagedLines(folder: string, path: string): Promise<string[]> {
  const problems: string[] = []
  const [whole, damaged]: [LineSpan[], LineSpan[]] = [[], []]
  for await (const line of iterateCompleteLines(path)) {
    const span = { start: line.start, length: line.length }
    try {
      parseLine(path, line, z.unknown())
      whole.push(span)
    } catch (error) {
      if (!(error instanceof DamagedLineError)) throw error
      problems.push(error.problem)
      damaged.push(span)
    }
  }
  if (damaged.length > 0) {
    appendLines(path, damaged, join(folder, 'damaged.txt'))
    await reorderLines(path, whole)
  }
  return problems
}

async function readAttemptIds(path: string): Promise<ReadonlySet<string>> {
  const attemptIds = new Set<string>()
  for await (const { attemptId } of iterateRecords(path, attemptKey.schema)) attemptIds.add(attemptId)
  return attemptIds
}

/** Moves attempts with damaged files to superseded.jsonl. Returns one line for each. */
async function setDamagedAside(folder: string, records: readonly FileList[]): Promise<string[]> {
  const damaged = new Map(
    (await findDamagedAttempts(folder, 'all', records)).map(({ attemptId, damages }) => [
      attemptId,
      damages[0]!,
    ]),
  )
  for (const { name } of damaged.values()) await requireRegularFile(join(folder, name))
  await setAside(folder, attemptId => damaged.has(attemptId))
  return [...damaged.values()].map(
    damage => `${join(folder, damage.name)}: ${formatDamage(damage)}; its attempt is made again`,
  )
}

/** Moves the records of attempts to superseded.jsonl, so that the attempts are made again. */
async function setAside(folder: string, isMoved: (attemptId: string) => boolean): Promise<void> {
  const path = join(folder, 'attempts.jsonl')
  const { latest, replaced } = await indexRecords(path, attemptKey)
  const places: PlacedLine[] = [...latest.values()]
  const moved = places.filter(({ attemptId }) => isMoved(attemptId))
  if (moved.length === 0) return
  await moveToSuperseded(folder, [...replaced, ...moved])
  await reorderLines(
    path,
    places.filter(({ attemptId }) => !isMoved(attemptId)),
  )
}
