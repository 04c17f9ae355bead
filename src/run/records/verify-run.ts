import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import {
  type DamagedAttempt,
  type FileList,
  fileListSchema,
  findDamagedAttempts,
  formatDamage,
} from './attempt-files.ts'
import { DamagedLineError, iterateCompleteLines, parseLine } from './json-lines.ts'
import { findLostLeaks } from './lost-leaks.ts'
import { readManifest } from './manifest-file.ts'
import { attemptKey } from './record-index.ts'
import { nameSupersededFile } from './superseded.ts'

/** A line of a file of records, and what is wrong with it: `attempts.jsonl:3: damaged: …`. */
interface DamagedLine {
  readonly file: string
  readonly problem: string
}

/** What `verify` found in a run's folder. */
export interface RunVerification {
  readonly isWhole: boolean
  readonly manifest: 'whole' | 'damaged' | 'missing'
  /** Recorded attempts. */
  readonly attempts: number
  /** Recorded attempts with all their files and a score. */
  readonly whole: number
  /** Attempts with a file that has changed. */
  readonly damaged: readonly DamagedAttempt[]
  /** Attempts with a missing file. */
  readonly lost: readonly DamagedAttempt[]
  /** Ids of attempts without a line in scores.jsonl; empty for a run without scores, such as imported logs. */
  readonly unscored: readonly string[]
  /** Ids of attempts with a score but without a line in attempts.jsonl: the line was lost, or the run was killed before it was written. */
  readonly unrecorded: readonly string[]
  /** Ids of attempts with leaks in their traces that leaks.jsonl lacks. */
  readonly lostLeaks: readonly string[]
  /** Lines of records that were changed after they were written. */
  readonly damagedLines: readonly DamagedLine[]
}

/**
 * Reads every file of a run and compares it with its recorded length and hash. Changes nothing.
 *
 * @param isWithheld whether a file, by its path in the folder, was left out on purpose and may be missing
 * @throws DataError [not-a-run] when the folder contains neither a manifest nor attempts
 */
export async function verifyRun(
  folder: string,
  isWithheld: (name: string) => boolean = () => false,
): Promise<RunVerification> {
  const path = join(folder, 'attempts.jsonl')
  const { state: manifest, needsScore } = await checkManifest(folder, existsSync(path))
  const damagedLines: DamagedLine[] = []
  const attempts = new Map<string, FileList>()
  for await (const record of readLines(path, fileListSchema, damagedLines))
    attempts.set(record.attemptId, record)
  const scored = new Set<string>()
  for await (const { attemptId } of readLines(join(folder, 'scores.jsonl'), attemptKey.schema, damagedLines))
    scored.add(attemptId)
  for (const file of [nameSupersededFile(folder), join(folder, 'leaks.jsonl')])
    for await (const _record of readLines(file, z.unknown(), damagedLines));
  const damagedAttempts = (await findDamagedAttempts(folder, 'all', attempts.values())).flatMap(attempt => {
    const damages = attempt.damages.filter(({ name, problem }) => problem !== 'missing' || !isWithheld(name))
    return damages.length === 0 ? [] : [{ ...attempt, damages }]
  })
  const isLost = ({ damages }: DamagedAttempt): boolean =>
    damages.some(({ problem }) => problem === 'missing')
  const unscored = [...attempts.values()].flatMap(attempt =>
    !scored.has(attempt.attemptId) && (needsScore?.(attempt) ?? scored.size > 0) ? [attempt.attemptId] : [],
  )
  const areLeaksReadable = !damagedLines.some(({ file }) => file === 'leaks.jsonl')
  const lostLeaks = areLeaksReadable
    ? [...new Set((await findLostLeaks(folder, attempts.values())).map(({ attemptId }) => attemptId))]
    : []
  const unrecorded = [...scored].filter(attemptId => !attempts.has(attemptId))
  const broken = new Set([...damagedAttempts.map(({ attemptId }) => attemptId), ...unscored])
  return {
    isWhole:
      manifest === 'whole' &&
      broken.size === 0 &&
      [unrecorded, lostLeaks, damagedLines].every(list => list.length === 0),
    manifest,
    attempts: attempts.size,
    whole: attempts.size - broken.size,
    damaged: damagedAttempts.filter(attempt => !isLost(attempt)),
    lost: damagedAttempts.filter(isLost),
    unscored,
    unrecorded,
    lostLeaks,
    damagedLines,
  }
}

interface ManifestCheck {
  readonly state: RunVerification['manifest']
  /** Whether an attempt must have a score: each one of a run, and those of an import that belong to a task. Null: unknown. */
  readonly needsScore: ((attempt: FileList) => boolean) | null
}

async function checkManifest(folder: string, hasAttempts: boolean): Promise<ManifestCheck> {
  if (!existsSync(join(folder, 'manifest.json')) && hasAttempts) return { state: 'missing', needsScore: null }
  try {
    const { source, config } = await readManifest(folder)
    // Samples without a task have the benchmark of their log, and a run without tasks has no benchmark.
    return {
      state: 'whole',
      needsScore: ({ benchmark }) => source === 'run' || benchmark === config.benchmark,
    }
  } catch (error) {
    if (error instanceof DataError && error.code === 'damaged-manifest')
      return { state: 'damaged', needsScore: null }
    throw error
  }
}

/** Yields the records of a file; damaged lines are added to a list instead. */
async function* readLines<T>(path: string, schema: z.ZodType<T>, damaged: DamagedLine[]): AsyncGenerator<T> {
  for await (const line of iterateCompleteLines(path)) {
    try {
      yield parseLine(path, line, schema)
    } catch (error) {
      if (!(error instanceof DamagedLineError)) throw error
      damaged.push({ file: basename(path), problem: error.problem })
    }
  }
}

/** Whether nothing is wrong that the run must make again. Missing scores need no attempt. */
const hasAllAttempts = ({
  manifest,
  damaged,
  lost,
  unrecorded,
  lostLeaks,
  damagedLines,
}: RunVerification): boolean =>
  manifest === 'whole' &&
  [damaged, lost, unrecorded, lostLeaks, damagedLines.filter(line => !isScoreLine(line))].every(
    list => list.length === 0,
  )

const isScoreLine = ({ file }: DamagedLine): boolean => file === 'scores.jsonl'

/** Returns what `verify` prints of a folder: what it found, and what to do. */
export function listVerificationLines(folder: string, verification: RunVerification): string[] {
  const { unscored, damagedLines } = verification
  const lines = listFindingLines(folder, verification)
  if (unscored.length > 0 || damagedLines.some(isScoreLine))
    lines.push(`tablehunt score ${folder} writes the scores that are missing.`)
  if (!hasAllAttempts(verification))
    lines.push(
      'Run the command that made the run again. It makes these attempts and the manifest again; whole attempts stay.',
    )
  return lines
}

/** Returns what `verify` found in a run, one line each. */
export function listFindingLines(
  folder: string,
  {
    attempts,
    whole,
    damaged,
    lost,
    unscored,
    unrecorded,
    lostLeaks,
    damagedLines,
    manifest,
  }: RunVerification,
): string[] {
  const counts = `${attempts} attempts: ${whole} whole, ${damaged.length} damaged, ${lost.length} lost`
  const ofFiles = [...damaged, ...lost].flatMap(({ attemptId, damages }) =>
    damages.map(damage => `  ${attemptId}: ${damage.name} is ${formatDamage(damage)}`),
  )
  return [
    `${folder}: ${counts}; manifest ${manifest}`,
    ...ofFiles,
    ...unscored.map(attemptId => `  ${attemptId}: no line in scores.jsonl`),
    ...unrecorded.map(attemptId => `  ${attemptId}: no line in attempts.jsonl`),
    ...lostLeaks.map(attemptId => `  ${attemptId}: leaks.jsonl lacks leaks that its trace has`),
    ...damagedLines.map(({ problem }) => `  ${problem}`),
  ]
}
