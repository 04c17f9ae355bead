import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { z } from 'zod/v4'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import { isInfrastructureCause, isUnfinished } from '../../core/termination.ts'
import { makeAttemptColumns } from '../../report/html/attempt-columns.ts'
import { reportArms } from '../../report/model/arms.ts'
import { joinEntries } from '../../report/model/entries.ts'
import { meanOver, readMetric } from '../../report/model/measures.ts'
import { listScoringMetrics } from '../../report/model/metrics.ts'
import type { LiveUpdate, RunNotes, RunProgress, RunRow } from '../../report/page/served-data.ts'
import { ifMissing } from '../../system/files.ts'
import { lockHolder } from '../../system/folder-lock.ts'
import { type LineSpan, readLinesAt } from '../records/json-lines.ts'
import { listTaintedAttempts, readLeaks } from '../records/leaks.ts'
import type { Manifest } from '../records/manifest.ts'
import { readManifest } from '../records/manifest-file.ts'
import { collectScorerMetrics } from '../records/read-records.ts'
import { scoreKey } from '../records/record-index.ts'
import type { WholeRecord } from '../records/summaries.ts'
import { readNotes } from './notes.ts'
import { RecordTail } from './record-tail.ts'

/** The summary of a record, its place in its file, and its number in the order of reading. */
interface KeptRecord<T> {
  readonly summary: T
  readonly place: LineSpan
  readonly number: number
}

/** A run whose records are read as they are added. Summaries of all of them are in memory. */
export class RunWatch {
  readonly name: string
  readonly folder: string
  readonly #attemptTail: RecordTail<Attempt>
  readonly #scoreTail: RecordTail<Score>
  readonly #attempts = new Map<string, KeptRecord<Attempt>>()
  readonly #scores = new Map<string, KeptRecord<Score>>()
  /** The keys of the scores of each attempt, in the order of reading. */
  readonly #scoreKeys = new Map<string, string[]>()
  #manifest: Manifest | null = null
  #notes: RunNotes = { note: '', tags: [] }
  #isLocked = false
  #tainted: ReadonlySet<string> = new Set()
  #stamps = ''
  #generation = 0
  #number = 0
  #reading: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.folder = folder
    this.name = basename(folder)
    this.#attemptTail = new RecordTail(join(folder, 'attempts.jsonl'), attemptSchema)
    this.#scoreTail = new RecordTail(join(folder, 'scores.jsonl'), scoreSchema)
  }

  /** Names the records that have been read. It changes with each new record. */
  get position(): string {
    return `${this.#generation}-${this.#number}`
  }

  /**
   * Reads what was added to the run's files.
   *
   * @returns whether anything has changed
   * @throws DataError when a file cannot be read as a part of a run
   */
  async refresh(): Promise<boolean> {
    const reading = this.#reading.then(() => this.#read())
    this.#reading = reading.catch(() => undefined)
    return await reading
  }

  async #read(): Promise<boolean> {
    const isLocked = (await lockHolder(this.folder)) !== null
    const stamps = `${await this.#fileStamps()} ${isLocked}`
    if (stamps === this.#stamps) return false
    this.#manifest = await readManifest(this.folder)
    this.#notes = await readNotes(this.folder)
    this.#isLocked = isLocked
    // An attempt's scores are written before the attempt, so they are read after it.
    const attempts = await this.#attemptTail.read()
    const scores = await this.#scoreTail.read()
    if (attempts.isReplaced || scores.isReplaced) this.#generation++
    const earlier = new Map(attempts.isReplaced ? this.#attempts : [])
    if (attempts.isReplaced) this.#attempts.clear()
    for (const { record, place } of attempts.records) {
      const summary = { ...record, answer: { ...record.answer, csv: null } }
      const same = earlier.get(record.attemptId)
      const isKnown = same?.summary.endedAt === record.endedAt
      const number = isKnown ? (same?.number ?? 0) : this.#number++
      this.#attempts.set(record.attemptId, { summary, place, number })
    }
    if (scores.isReplaced) for (const map of [this.#scores, this.#scoreKeys]) map.clear()
    for (const { record, place } of scores.records) this.#keepScore(record, place)
    this.#tainted = listTaintedAttempts(await readLeaks(this.folder))
    this.#stamps = stamps
    return true
  }

  /** Returns text that differs when a file of the run was written. */
  async #fileStamps(): Promise<string> {
    const names = ['manifest.json', 'notes.json', 'attempts.jsonl', 'scores.jsonl', 'leaks.jsonl']
    const stamps = await Promise.all(names.map(name => stat(join(this.folder, name)).catch(ifMissing)))
    return stamps
      .map(stamp => (stamp === null ? '-' : `${stamp.ino}:${stamp.size}:${stamp.mtimeMs}`))
      .join(' ')
  }

  #keepScore(record: Score, place: LineSpan): void {
    const key = scoreKey.of(record)
    const keys = this.#scoreKeys.get(record.attemptId) ?? []
    if (!keys.includes(key)) this.#scoreKeys.set(record.attemptId, [...keys, key])
    const { extract: _, ...score } = record
    const summary = { ...score, cells: [], items: [], explanation: [] }
    this.#scores.set(key, { summary, place, number: this.#number })
  }

  /** Returns whether the run has the attempt. */
  has(attemptId: string): boolean {
    return this.#attempts.has(attemptId)
  }

  /** Reads the whole record of an attempt. Returns null when the run does not have it. */
  wholeOf(attemptId: string): WholeRecord | null {
    const record = this.#attempts.get(attemptId)
    if (record === undefined) return null
    const [attempt] = readPlaces(join(this.folder, 'attempts.jsonl'), [record.place], attemptSchema)
    const places = (this.#scoreKeys.get(attemptId) ?? []).flatMap(key => this.#scores.get(key)?.place ?? [])
    const scores = readPlaces(join(this.folder, 'scores.jsonl'), places, scoreSchema)
    return attempt === undefined ? null : { attempt, scores }
  }

  /** How far the run is. */
  progress(): RunProgress {
    const terminations = [...this.#attempts.values()].map(({ summary }) => summary.termination)
    const ended = terminations.filter(termination => !isUnfinished(termination))
    const planned = this.#manifest?.planned ?? 0
    return {
      state: this.#isLocked ? 'running' : ended.length >= planned ? 'done' : 'stopped',
      planned,
      done: ended.length,
      failed: ended.filter(({ cause }) => isInfrastructureCause(cause)).length,
    }
  }

  /** The run's row in the index. */
  row(): RunRow {
    const attempts = this.#summaries()
    const { metric, scores } = this.#firstScoring()
    const { arms, idOf } = reportArms(attempts)
    const entries = joinEntries(attempts, scores)
    const meanOf = (id: string): number | null =>
      metric === null
        ? null
        : meanOver(
            entries.filter(({ key }) => idOf(key) === id),
            entry => readMetric(entry, metric.key),
            'tasks',
          )
    return {
      name: this.name,
      startedAt: this.#manifest?.startedAt ?? '',
      ...this.progress(),
      ...this.#notes,
      models: [...new Set(attempts.map(({ model }) => model))],
      metric,
      arms: arms.map(({ id, name }) => ({ name, mean: meanOf(id) })),
    }
  }

  /** Returns the attempts that ended after a position. */
  updateSince(position: string): LiveUpdate {
    const [generation, number] = position.split('-').map(Number)
    const attempts = this.#summaries()
    const news = [...this.#attempts.values()]
      .filter(record => record.number >= (number ?? 0))
      .map(({ summary }) => summary)
    const { metrics, scoreOf } = this.#firstScoring()
    const arms = reportArms(attempts)
    const tasks = [...new Map(news.map(attempt => [attempt.taskId, attempt])).values()]
    return {
      progress: this.progress(),
      isReplaced: generation !== this.#generation,
      arms: arms.arms.map(arm => ({ ...arm, run: 0, isControl: 'control' in arm.options })),
      tasks: tasks.map(({ taskId, domain, language }) => ({ id: taskId, domain, language, question: '' })),
      attempts: makeAttemptColumns({
        attempts: news,
        scoreOf,
        metrics,
        arms,
        taskIds: tasks.map(({ taskId }) => taskId),
        isTainted: ({ attemptId }) => this.#tainted.has(attemptId),
      }),
    }
  }

  #summaries(): Attempt[] {
    return [...this.#attempts.values()].map(({ summary }) => summary)
  }

  /** The first score of each attempt, and the metrics of the scorer that made the first of them. */
  #firstScoring(): {
    readonly scores: readonly Score[]
    readonly metric: MetricDefinition | null
    readonly metrics: readonly MetricDefinition[]
    scoreOf(attempt: Attempt): Score | null
  } {
    const scoreOf = ({ attemptId }: Attempt): Score | null =>
      this.#scores.get(this.#scoreKeys.get(attemptId)?.[0] ?? '')?.summary ?? null
    const firstScores = this.#summaries().flatMap(attempt => scoreOf(attempt) ?? [])
    const first = firstScores[0]
    const scorerMetrics = listScoringMetrics(
      collectScorerMetrics(this.#manifest, firstScores),
      first?.scorer ?? 'none',
    )
    const scores = firstScores.filter(
      ({ scorer, judge }) => scorer === first?.scorer && judge === first?.judge,
    )
    return {
      scores,
      metric: scorerMetrics.primary,
      metrics: [...new Set([...scorerMetrics.scores, ...scorerMetrics.columns])],
      scoreOf,
    }
  }
}

function readPlaces<T>(path: string, places: readonly LineSpan[], schema: z.ZodType<T>): T[] {
  return readLinesAt(path, places).map(line => schema.parse(JSON.parse(line.toString('utf8'))))
}
