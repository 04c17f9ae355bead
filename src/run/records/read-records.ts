import { join } from 'node:path'
import { z } from 'zod/v4'
import { scorers } from '../../../tasks/registry.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import type { ScorerMetrics } from '../../core/metric.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import type { shouldRerun } from '../plan/retry.ts'
import { iterateRecords, readRecords } from './json-lines.ts'
import { type Leak, readLeaks } from './leaks.ts'
import type { Manifest } from './manifest.ts'
import { readManifest } from './manifest-file.ts'
import { attemptKey, scoreKey } from './record-index.ts'

/**
 * A run's records.
 *
 * @example
 * import { type RunRecords, readRun } from 'tablehunt'
 *
 * const { manifest, leaks }: RunRecords = await readRun('runs/first')
 * console.log(manifest.runId, `${leaks.length} leaks`)
 */
export interface RunRecords {
  readonly manifest: Manifest
  /** One record per attempt: the latest. */
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** The leak ledger. */
  readonly leaks: readonly Leak[]
}

/** Keeps the latest record of each key, at the place of the first one. */
function pickLatest<T>(records: readonly T[], keyOf: (record: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const record of records) byKey.set(keyOf(record), record)
  return [...byKey.values()]
}

/**
 * Reads all records of a run into memory.
 *
 * @throws DataError [not-a-run, damaged-manifest, damaged-record, invalid-record]
 */
export async function readRun(folder: string): Promise<RunRecords> {
  const manifest = await readManifest(folder)
  const attempts = await readRecords(join(folder, 'attempts.jsonl'), attemptSchema)
  const scores = await readRecords(join(folder, 'scores.jsonl'), scoreSchema)
  return {
    manifest,
    attempts: pickLatest(attempts, attemptKey.of),
    scores: pickLatest(scores, scoreKey.of),
    leaks: await readLeaks(folder),
  }
}

const anyScoreSchema = z.looseObject({ attemptId: z.string() })

/** Reads the scores of one attempt, the latest of each scorer and judge. Only its own lines are checked as records. */
export async function readAttemptScores(folder: string, attemptId: string): Promise<Score[]> {
  const scores: Score[] = []
  for await (const record of iterateRecords(join(folder, 'scores.jsonl'), anyScoreSchema))
    if (record.attemptId === attemptId) scores.push(scoreSchema.parse(record))
  return pickLatest(scores, scoreKey.of)
}

const endSchema = attemptSchema.pick({ attemptId: true, termination: true, missingDocuments: true })

/**
 * Returns the ids of a run's recorded attempts, without those that are made again.
 *
 * @param isRerun decides by the termination and the missing documents whether an attempt is made again
 */
export async function readFinishedAttempts(
  folder: string,
  isRerun: ReturnType<typeof shouldRerun>,
): Promise<Set<string>> {
  const finished = new Set<string>()
  for await (const attempt of iterateRecords(join(folder, 'attempts.jsonl'), endSchema)) {
    const { attemptId, termination, missingDocuments } = attempt
    if (isRerun(termination, missingDocuments)) finished.delete(attemptId)
    else finished.add(attemptId)
  }
  return finished
}

/**
 * Returns the metrics of the records' scorers by name, from the manifest; those that `score` added later from the
 * scorers themselves.
 */
export function collectScorerMetrics(
  manifest: Manifest | null,
  scores: readonly Score[],
): Readonly<Record<string, ScorerMetrics>> {
  const names = [...new Set(scores.map(({ scorer }) => scorer))]
  return { ...listScorerMetrics(names.filter(name => scorers.has(name))), ...manifest?.scorers }
}
