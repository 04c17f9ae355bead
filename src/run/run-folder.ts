import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { type Attempt, attemptSchema } from '../core/attempt.ts'
import { DataError } from '../core/errors.ts'
import { type Score, scoreSchema } from '../core/score.ts'
import {
  appendLines,
  eachRecord,
  parseLine,
  reorderLines,
  type Span,
  wholeLength,
  wholeLines,
} from './json-lines.ts'
import { type Leak, readLeaks } from './leaks.ts'
import { type Manifest, manifestSchema } from './manifest.ts'

export interface RunRecords {
  readonly manifest: Manifest
  /** One an attempt: where a later line replaces an earlier one, the later. */
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** The leak ledger. */
  readonly leaks: readonly Leak[]
}

/** Replaces a file so that a reader sees the old or the new one, never half of either. */
async function replaceFile(path: string, text: string): Promise<void> {
  const half = `${path}.${process.pid}.part`
  await writeFile(half, text)
  await rename(half, path)
}

/** The records of a JSON-lines file, a half-written last line left out; none where there is no file. */
export async function readRecords<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = []
  for await (const record of eachRecord(path, schema)) records.push(record)
  return records
}

const attemptKey = (record: { attemptId: string }): string => record.attemptId
const scoreKey = (score: Pick<Score, 'attemptId' | 'profile' | 'judge'>): string =>
  `${score.attemptId} ${score.profile} ${score.judge}`

/** Later records replace earlier ones of the same key, in the place of the first. */
function latest<T>(records: readonly T[], keyOf: (record: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const record of records) byKey.set(keyOf(record), record)
  return [...byKey.values()]
}

/** What a run was; DataError where the folder is no run. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new DataError(`${folder}: no run there (no manifest.json)`)
  })
  const manifest = manifestSchema.safeParse(JSON.parse(text))
  if (!manifest.success)
    throw new DataError(`${path}: ${manifest.error.issues[0]?.message ?? 'not a manifest'}`)
  return manifest.data
}

/** Reads a run's records, all into memory; DataError where the folder is no run. */
export async function readRun(folder: string): Promise<RunRecords> {
  const manifest = await readManifest(folder)
  const attempts = await readRecords(join(folder, 'attempts.jsonl'), attemptSchema)
  const scores = await readRecords(join(folder, 'scores.jsonl'), scoreSchema)
  return {
    manifest,
    attempts: latest(attempts, attemptKey),
    scores: latest(scores, scoreKey),
    leaks: await readLeaks(folder),
  }
}

const endSchema = attemptSchema.pick({ attemptId: true, termination: true })

/** The ids of a run's attempts that need not be made again: all that have a record but those the operator cancelled. */
export async function finishedAttempts(folder: string): Promise<Set<string>> {
  const finished = new Set<string>()
  for await (const { attemptId, termination } of eachRecord(join(folder, 'attempts.jsonl'), endSchema)) {
    if (termination.cause === 'operator') finished.delete(attemptId)
    else finished.add(attemptId)
  }
  return finished
}

/** The one writer of a run's records. Opening it cuts off a half-written last line. */
export class RunFolder {
  readonly folder: string
  readonly #attempts: FileHandle
  readonly #scores: FileHandle
  /** By attempt: one that is made again begins its ledger again. */
  readonly #leaks: Map<string, readonly Leak[]>
  #leaksWritten: Promise<void> = Promise.resolve()

  private constructor(
    folder: string,
    attempts: FileHandle,
    scores: FileHandle,
    leaks: Map<string, readonly Leak[]>,
  ) {
    this.folder = folder
    this.#attempts = attempts
    this.#scores = scores
    this.#leaks = leaks
  }

  static async open(folder: string): Promise<RunFolder> {
    for (const name of ['traces/blobs', 'answers']) await mkdir(join(folder, name), { recursive: true })
    const [attempts, scores] = await Promise.all(
      ['attempts.jsonl', 'scores.jsonl'].map(name => openForAppend(join(folder, name))),
    )
    return new RunFolder(folder, attempts!, scores!, byAttempt(await readLeaks(folder)))
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    await replaceFile(join(this.folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }

  /** The attempt's line comes last: an attempt that has one has its answer, its leaks and its scores too. */
  async append(
    attempt: Attempt,
    scores: readonly Score[],
    answerText: string | null,
    leaks: readonly Leak[] = [],
  ): Promise<void> {
    await this.#setLeaks(attempt.attemptId, leaks)
    if (answerText !== null)
      await replaceFile(join(this.folder, 'answers', `${attempt.attemptId}.txt`), answerText)
    await this.#scores.appendFile(scores.map(score => `${JSON.stringify(score)}\n`).join(''))
    await this.#attempts.appendFile(`${JSON.stringify(attempt)}\n`)
  }

  async #setLeaks(attemptId: string, leaks: readonly Leak[]): Promise<void> {
    if (leaks.length === 0 && !this.#leaks.has(attemptId)) return
    this.#leaks.set(attemptId, leaks)
    await this.#writeLeaks([])
  }

  /** Attempts of the list first; one write after another, so that the file always ends as the last of them. */
  async #writeLeaks(first: readonly string[]): Promise<void> {
    const path = join(this.folder, 'leaks.jsonl')
    this.#leaksWritten = this.#leaksWritten.then(async () => {
      const attemptIds = new Set([...first, ...this.#leaks.keys()])
      await replaceFile(path, toLines([...attemptIds].flatMap(attemptId => this.#leaks.get(attemptId) ?? [])))
    })
    await this.#leaksWritten
  }

  async appendScores(scores: readonly Score[]): Promise<void> {
    await this.#scores.appendFile(scores.map(score => `${JSON.stringify(score)}\n`).join(''))
  }

  /**
   * Puts both files in the order of the plan, so that equal runs are equal byte for byte however their attempts
   * interleaved. Records that a later one replaced go to superseded.jsonl.
   */
  async putInOrder(attemptIds: readonly string[]): Promise<void> {
    const attemptsPath = join(this.folder, 'attempts.jsonl')
    const scoresPath = join(this.folder, 'scores.jsonl')
    const attempts = await indexRecords(attemptsPath, attemptKeySchema, attemptKey)
    const scores = await indexRecords(scoresPath, scoreKeySchema, scoreKey)
    if (attempts.replaced.length > 0)
      await appendLines(attemptsPath, attempts.replaced, join(this.folder, 'superseded.jsonl'))
    await reorderLines(scoresPath, inOrder(scores.latest, attemptIds))
    await reorderLines(attemptsPath, inOrder(attempts.latest, attemptIds))
    await this.#writeLeaks(attemptIds)
  }

  async close(): Promise<void> {
    await Promise.all([this.#attempts.close(), this.#scores.close()])
  }
}

function byAttempt(leaks: readonly Leak[]): Map<string, readonly Leak[]> {
  const known = new Map<string, Leak[]>()
  for (const leak of leaks) known.set(leak.attemptId, [...(known.get(leak.attemptId) ?? []), leak])
  return known
}

function toLines(records: readonly unknown[]): string {
  return records.map(record => `${JSON.stringify(record)}\n`).join('')
}

const attemptKeySchema = attemptSchema.pick({ attemptId: true })
const scoreKeySchema = scoreSchema.pick({ attemptId: true, profile: true, judge: true })

interface Place extends Span {
  readonly attemptId: string
}

/** Where the records of a file stand; the records themselves stay on disk. */
interface RecordIndex {
  /** By key, in the place of the first of that key. */
  readonly latest: ReadonlyMap<string, Place>
  /** Those that a later one of the same key replaced. */
  readonly replaced: readonly Span[]
}

async function indexRecords<T extends { attemptId: string }>(
  path: string,
  schema: z.ZodType<T>,
  keyOf: (record: T) => string,
): Promise<RecordIndex> {
  const latest = new Map<string, Place>()
  const replaced: Span[] = []
  for await (const line of wholeLines(path)) {
    const record = parseLine(path, line, schema)
    const key = keyOf(record)
    const earlier = latest.get(key)
    if (earlier !== undefined) replaced.push(earlier)
    latest.set(key, { start: line.start, length: line.length, attemptId: record.attemptId })
  }
  return { latest, replaced }
}

/** In the order of the attempts; what belongs to none of them stands last. */
function inOrder(places: ReadonlyMap<string, Place>, attemptIds: readonly string[]): Place[] {
  const rank = new Map(attemptIds.map((id, index) => [id, index]))
  const rankOf = ({ attemptId }: Place): number => rank.get(attemptId) ?? attemptIds.length
  return [...places.values()].sort((a, b) => rankOf(a) - rankOf(b))
}

async function openForAppend(path: string): Promise<FileHandle> {
  const file = await open(path, 'a+')
  await file.truncate(await wholeLength(file))
  return file
}
