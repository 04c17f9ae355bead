import { dirname, join, resolve } from 'node:path'
import type { BlobStore } from '../../../logs/blobs.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Score } from '../../core/score.ts'
import { formatCount } from '../../score/explain/wording.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { makeFolder } from '../../system/files.ts'
import type { HeldLock } from '../../system/folder-lock.ts'
import { recordLines } from '../../system/record-checksum.ts'
import { syncFiles, syncFolder } from '../../system/sync-files.ts'
import { type AnswerTexts, writeAnswers } from './answer-files.ts'
import { describeFiles } from './attempt-files.ts'
import { type Leak, readLeaks } from './leaks.ts'
import type { Manifest } from './manifest.ts'
import { writeManifest } from './manifest-file.ts'
import { type FileChanges, RecordFile } from './record-file.ts'
import { attemptKey, type KeyedAttempt, type KeyedScore, scoreKey } from './record-index.ts'
import { moveToSuperseded } from './superseded.ts'

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
      : `; moved ${formatCount(foreignLines, 'line')} that the run did not write to damaged.txt`
  const lost =
    lostAttempts.length === 0
      ? ''
      : `; the records of ${formatCount(lostAttempts.length, 'attempt')} are gone. Run the same command again: it makes them again`
  return [`${join(folder, name)}: another program wrote to it during the run${added}${lost}`]
}
