import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { z } from 'zod/v4'
import type { BlobStore } from '../../../logs/blobs.ts'
import { tracePath } from '../../../logs/writer.ts'
import { type Attempt, attemptSchema, recordVersion } from '../../core/attempt.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { counted } from '../../score/explain/wording.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing, makeFolder, requireRegularFile } from '../../system/files.ts'
import type { HeldLock } from '../../system/folder-lock.ts'
import { hasValidRecordChecksum, recordLines, withRecordChecksum } from '../../system/record-checksum.ts'
import { syncFiles, syncFolder } from '../../system/sync-files.ts'
import { isObject, jsonOrNull } from '../../text/json.ts'
import type { shouldRerun } from '../plan/retry.ts'
import { type AnswerTexts, writeAnswers } from './answer-files.ts'
import { describeFiles } from './attempt-files.ts'
import { iterateRecords, readRecords } from './json-lines.ts'
import { type Leak, readLeaks } from './leaks.ts'
import { type Manifest, manifestSchema, type RunManifest } from './manifest.ts'
import { type FileChanges, RecordFile } from './record-file.ts'
import { attemptKey, type KeyedAttempt, type KeyedScore, scoreKey } from './record-index.ts'
import { moveToSuperseded } from './superseded.ts'

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
function latest<T>(records: readonly T[], keyOf: (record: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const record of records) byKey.set(keyOf(record), record)
  return [...byKey.values()]
}

/**
 * Reads the manifest of a run, or of imported logs.
 *
 * @throws DataError [not-a-run, damaged-manifest, other-record-version]
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  await requireRegularFile(path)
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const isThere = code !== 'ENOENT' && code !== 'ENOTDIR'
    const missing = existsSync(folder)
      ? 'this folder contains no run (manifest.json is missing)'
      : 'there is no such folder or file'
    throw new DataError(
      isThere
        ? `${path} cannot be read (${code}). Correct its permissions.`
        : `${folder}: ${missing}. Name the folder that \`run --out\` wrote${extname(folder) === '.zip' ? ', or the file that `pack` wrote' : ''}.`,
      { code: 'not-a-run' },
    )
  })
  const value = jsonOrNull(text)
  requireRecordVersion(folder, value)
  const manifest = manifestSchema.safeParse(value)
  if (manifest.success && hasValidRecordChecksum(value)) return manifest.data
  const isCut = value === null && text.trim() !== 'null'
  const where = isCut
    ? 'it is cut off, or no JSON'
    : manifest.success
      ? 'its checksum does not match'
      : describeZodProblem(manifest.error, 'it')
  throw new DataError(
    `${path} is damaged: ${where}. Run the command that made the run again: it makes the manifest again from its options and the records.`,
    { code: 'damaged-manifest' },
  )
}

/** Refuses the folder of another version, whose records have other fields. */
function requireRecordVersion(folder: string, manifest: unknown): void {
  if (!isObject(manifest) || !('tablehunt' in manifest) || manifest.recordVersion === recordVersion) return
  const version = typeof manifest.tablehunt === 'string' ? `version ${manifest.tablehunt}` : 'another version'
  throw new DataError(
    `${folder}: ${version} of Tablehunt made this folder, and its records have other fields (records ${manifest.recordVersion ?? 1}, here ${recordVersion}). Read it with that version, or make the run again in another folder.`,
    { code: 'other-record-version' },
  )
}

/**
 * Reads the manifest of a run.
 *
 * @throws ConfigError [imported-logs] DataError [not-a-run, damaged-manifest]
 */
export async function readRunManifest(folder: string): Promise<RunManifest> {
  const manifest = await readManifest(folder)
  if (manifest.source === 'run') return manifest
  throw new ConfigError(
    `${folder} contains imported logs, whose attempts cannot be made here. Choose another --out.`,
    { code: 'imported-logs' },
  )
}

/** What a folder contains when a run begins in it. */
export type EarlierRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'run'; readonly manifest: RunManifest }
  /** Attempts whose manifest is missing or damaged. */
  | { readonly kind: 'manifest-lost' }

/**
 * Finds out what a folder contains before a run begins in it.
 *
 * @throws ConfigError [imported-logs] DataError [not-a-run] when the manifest cannot be read
 */
export async function findEarlierRun(folder: string): Promise<EarlierRun> {
  const path = join(folder, 'manifest.json')
  try {
    if (existsSync(path)) return { kind: 'run', manifest: await readRunManifest(folder) }
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'damaged-manifest')) throw error
  }
  const size = (await stat(join(folder, 'attempts.jsonl')).catch(ifMissing))?.size ?? 0
  return size === 0 ? { kind: 'none' } : { kind: 'manifest-lost' }
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
    attempts: latest(attempts, attemptKey.of),
    scores: latest(scores, scoreKey.of),
    leaks: await readLeaks(folder),
  }
}

const anyScoreSchema = z.looseObject({ attemptId: z.string() })

/** Reads the scores of one attempt, the latest of each scorer and judge. Only its own lines are checked as records. */
export async function readAttemptScores(folder: string, attemptId: string): Promise<Score[]> {
  const scores: Score[] = []
  for await (const record of iterateRecords(join(folder, 'scores.jsonl'), anyScoreSchema))
    if (record.attemptId === attemptId) scores.push(scoreSchema.parse(record))
  return latest(scores, scoreKey.of)
}

const endSchema = attemptSchema.pick({ attemptId: true, termination: true, missingDocuments: true })

/**
 * Returns the ids of a run's recorded attempts, without those that are made again.
 *
 * @param isRerun decides by the termination and the missing documents whether an attempt is made again
 */
export async function finishedAttempts(
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

/** Replaces the manifest of a run. The caller holds the run's lock. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const lines = JSON.stringify(JSON.parse(withRecordChecksum(manifest)), null, 2)
  await writeFileDurably(join(folder, 'manifest.json'), `${lines}\n`)
}

const noLock: HeldLock = { requireHeld: () => undefined }

/** An attempt whose files are written and whose lines are not. */
interface WaitingRecord {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The names of its answers in the run's folder. */
  readonly answers: readonly string[]
  /** Called when the record is on the disk, or with the error that kept it from being written. */
  settle(error: unknown): void
}

/** What a run's folder needs to be opened for writing. */
export interface RunFolderOptions {
  /** Held by this process. A folder that this process has just created needs no lock. */
  readonly lock?: HeldLock
  /** The store that receives the long texts of the attempts. */
  readonly blobs: BlobStore
}

/**
 * The only writer of a run's records. Opening it removes half-written last lines.
 *
 * Every write throws RunError [lock-lost] when another process has taken the folder over.
 */
export class RunFolder {
  readonly folder: string
  readonly #lock: HeldLock
  readonly #blobs: RunFolderOptions['blobs']
  readonly #attempts: RecordFile<KeyedAttempt>
  readonly #scores: RecordFile<KeyedScore>
  /** The leaks of each attempt. An attempt that is made again replaces its leaks. */
  readonly #leaks: Map<string, readonly Leak[]>
  #leaksWritten: Promise<void> = Promise.resolve()
  #waiting: WaitingRecord[] = []
  /** Ends when no record waits. Null while none is written. */
  #committing: Promise<void> | null = null

  private constructor(
    { folder, lock, blobs }: Required<RunFolderOptions> & { readonly folder: string },
    attempts: RecordFile<KeyedAttempt>,
    scores: RecordFile<KeyedScore>,
    leaks: Map<string, readonly Leak[]>,
  ) {
    this.folder = folder
    this.#lock = lock
    this.#blobs = blobs
    this.#attempts = attempts
    this.#scores = scores
    this.#leaks = leaks
  }

  static async open(folder: string, { lock = noLock, blobs }: RunFolderOptions): Promise<RunFolder> {
    for (const name of ['traces/blobs', 'answers']) await makeFolder(join(folder, name))
    const attempts = await RecordFile.open(join(folder, 'attempts.jsonl'), attemptKey)
    const scores = await RecordFile.open(join(folder, 'scores.jsonl'), scoreKey)
    for (const path of [dirname(resolve(folder)), folder, join(folder, 'traces')]) await syncFolder(path)
    const leaks = groupBy(await readLeaks(folder), leak => leak.attemptId)
    return new RunFolder({ folder, lock, blobs }, attempts, scores, leaks)
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    this.#lock.requireHeld()
    await writeManifest(this.folder, manifest)
  }

  /**
   * Records an attempt, and returns when the record is on the disk. Its line is written last, after everything else is on
   * the disk: an attempt whose line survives a power cut also has its answer, trace, texts, leaks and scores.
   */
  async append(
    attempt: Attempt,
    scores: readonly Score[],
    answers: AnswerTexts,
    leaks: readonly Leak[] = [],
  ): Promise<void> {
    this.#lock.requireHeld()
    const { attemptId } = attempt
    await this.#setLeaks(attemptId, leaks)
    const names = await writeAnswers(this.folder, attemptId, answers)
    await new Promise<void>((resolve, reject) => {
      const settle = (error: unknown): void => (error === null ? resolve() : reject(error))
      this.#waiting.push({ attempt, scores, answers: names, settle })
      this.#committing ??= this.#commitWaiting().finally(() => {
        this.#committing = null
      })
    })
  }

  /** Commits the waiting records together. Attempts that end in the meantime share the next commit. */
  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const records = this.#waiting
      this.#waiting = []
      const error = await this.#commit(records).then(
        () => null,
        (reason: unknown) => reason,
      )
      for (const { settle } of records) settle(error)
    }
  }

  /** Puts records on the disk: first what their lines refer to, then the scores, then the attempts. */
  async #commit(records: readonly WaitingRecord[]): Promise<void> {
    await syncFiles([
      ...this.#blobs.takeUnsynced(),
      ...records.flatMap(({ attempt, answers }) => [
        tracePath(this.folder, attempt.attemptId),
        ...answers.map(name => join(this.folder, name)),
      ]),
    ])
    for (const name of ['traces/blobs', 'traces', 'answers']) await syncFolder(join(this.folder, name))
    const files = await Promise.all(
      records.map(({ attempt, answers }) => describeFiles(this.folder, attempt.attemptId, answers)),
    )
    this.#lock.requireHeld()
    for (const { scores } of records) for (const score of scores) this.#scores.append(score)
    await this.#scores.sync()
    for (const [at, { attempt }] of records.entries()) {
      const record: Attempt = { ...attempt, files: files[at]! }
      this.#attempts.append(record)
    }
    await this.#attempts.sync()
  }

  async #setLeaks(attemptId: string, leaks: readonly Leak[]): Promise<void> {
    if (leaks.length === 0 && !this.#leaks.has(attemptId)) return
    this.#leaks.set(attemptId, leaks)
    await this.#writeLeaks([])
  }

  /** Writes leaks.jsonl, with the attempts of `first` first. Writes are queued, so the last one decides what the file contains. */
  async #writeLeaks(first: readonly string[]): Promise<void> {
    const path = join(this.folder, 'leaks.jsonl')
    this.#leaksWritten = this.#leaksWritten.then(async () => {
      const attemptIds = new Set([...first, ...this.#leaks.keys()])
      await writeFileDurably(
        path,
        recordLines([...attemptIds].flatMap(attemptId => this.#leaks.get(attemptId) ?? [])),
      )
    })
    await this.#leaksWritten
  }

  /**
   * Sorts the records in the order of the plan: two equal runs then have equal files, although their attempts ended in
   * another order. Moves replaced attempts to superseded.jsonl, and lines that this process did not write to damaged.txt.
   */
  async putInOrder(attemptIds: readonly string[]): Promise<RecordChanges> {
    this.#lock.requireHeld()
    const changes = [
      { name: 'scores.jsonl', ...(await this.#scores.removeForeignLines()) },
      { name: 'attempts.jsonl', ...(await this.#attempts.removeForeignLines()) },
    ]
    await moveToSuperseded(this.folder, this.#attempts.replaced)
    await this.#scores.putInOrder(attemptIds)
    await this.#attempts.putInOrder(attemptIds)
    await this.#writeLeaks(attemptIds)
    return {
      notices: changes.flatMap(change => describeChanges(this.folder, change)),
      lostAttempts: new Set(changes.flatMap(({ lostAttempts }) => lostAttempts)),
    }
  }

  async close(): Promise<void> {
    await this.#committing
    await Promise.all([this.#attempts.close(), this.#scores.close()])
  }
}

/** What other programs did to the records of a run while it went on. */
interface RecordChanges {
  /** One line for each changed file. */
  readonly notices: readonly string[]
  /** Their records, or their scores, are gone. */
  readonly lostAttempts: ReadonlySet<string>
}

function describeChanges(
  folder: string,
  { name, foreignLines, lostAttempts }: FileChanges & { readonly name: string },
): string[] {
  if (foreignLines === 0 && lostAttempts.length === 0) return []
  const added =
    foreignLines === 0
      ? ''
      : `; moved ${counted(foreignLines, 'line')} that the run did not write to damaged.txt`
  const lost =
    lostAttempts.length === 0
      ? ''
      : `; the records of ${counted(lostAttempts.length, 'attempt')} are gone. Run the same command again: it makes them again`
  return [`${join(folder, name)}: another program wrote to it during the run${added}${lost}`]
}
