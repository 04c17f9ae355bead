import { join } from 'node:path'
import { answersFromMemory, answersFromWeb } from '../../../agents/registry.ts'
import { type BlobStore, createBlobStore } from '../../../logs/blobs.ts'
import { scorers } from '../../../tasks/registry.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { listBenchmarkDefaults } from '../../config/benchmark-defaults.ts'
import type { ScoringConfig } from '../../config/scoring-config.ts'
import type { Attempt } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { systemClock } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import type { Task } from '../../core/task.ts'
import { createTextIndexes } from '../../evidence/text-index.ts'
import { listLoadedPlugins } from '../../plugins/load-plugins.ts'
import { createJudgingSum } from '../../report/model/judging.ts'
import type { JudgingTotals } from '../../report/model/report.ts'
import type { Judge } from '../../score/contract/judge.ts'
import { nameRecordedJudge } from '../../score/contract/scorer.ts'
import {
  createFunctionJudge,
  type JudgeFunction,
  nameFunctionJudge,
} from '../../score/judge/function-judge.ts'
import { addEarlierUsage } from '../../score/judge/tally.ts'
import { makeScoreDigest, type ScoreDigest } from '../../score/statistics/stability.ts'
import { withLossClass } from '../attempt/loss-class.ts'
import { scoreAnswers } from '../attempt/score-answers.ts'
import { openJudgeAlone } from '../open-run/judge.ts'
import { findTaskEvidence } from '../open-run/task-evidence.ts'
import { chooseScorers } from '../plan/choose-scorers.ts'
import { readAnswers } from '../records/answer-files.ts'
import { requireWholeAnswers } from '../records/attempt-files.ts'
import { makeCheckpoint, readCheckpoints } from '../records/checkpoint.ts'
import { readCodeVersion } from '../records/code-version.ts'
import { lockRun } from '../records/lock.ts'
import type { Manifest } from '../records/manifest.ts'
import { readManifest, writeManifest } from '../records/manifest-file.ts'
import { scoreKey } from '../records/record-index.ts'
import { moveDamagedLines, removeUnfinishedFiles } from '../records/repair.ts'
import { replaceScores } from '../records/replace-scores.ts'
import { readSeenDocuments, type SeenDocuments } from '../records/seen-documents.ts'
import { type ScoringStability, writeStability } from '../records/stability-file.ts'
import { type RunSummaries, readSummaries } from '../records/summaries.ts'
import { readTasksOfRun } from '../records/tasks-of-run.ts'
import { measureStability } from './measure-stability.ts'

/** How a run is scored again. */
export interface RescoringOptions {
  readonly config: ScoringConfig
  /** A function that replaces the judge of the options. The default is the judge of the options. */
  readonly ask?: JudgeFunction
  /** How often each attempt is scored. Repeats only measure how stable the scores are; the first scores are kept. */
  readonly repeats: number
  readonly signal: AbortSignal
  /** Receives one line for each limitation of the new scores. */
  readonly tell?: (notice: string) => void
}

/**
 * The result of scoring a run again.
 *
 * @example
 * import { type RunScoring, scoreRun } from 'tablehunt'
 *
 * const { scores, judging }: RunScoring = await scoreRun('runs/first')
 * console.log(`${scores} scores, ${judging.calls} calls of the judge`)
 */
export interface RunScoring {
  /** Score records written. */
  readonly scores: number
  /** Usage of the judge over all repeats. */
  readonly judging: JudgingTotals
  /** One for each scorer; empty for a single scoring. */
  readonly stability: readonly ScoringStability[]
}

/**
 * Scores every attempt of a run by each scorer. When all new scores are made, they replace those of the same scorer and
 * judge; others stay. The usage of the judge in the new records includes that of the replaced ones. Calls no model under test.
 *
 * @throws DataError [not-a-run, damaged-file, tasks-missing, tasks-changed, no-gold, unknown-benchmark, invalid-score] ConfigError
 * [unknown-scorer, wrong-scorer, needs-judge-model] PluginError [plugin-failed]
 */
export async function scoreRun(folder: string, options: RescoringOptions): Promise<RunScoring> {
  const manifest = await readManifest(folder)
  const tellSome = (problems: readonly string[]): void => {
    for (const problem of problems.slice(0, 3)) options.tell?.(problem)
    if (problems.length > 3) options.tell?.(`${problems.length - 3} more scores are left out.`)
  }
  for (const notice of listPluginNotices(manifest)) options.tell?.(notice)
  const lock = await lockRun(folder)
  try {
    await removeUnfinishedFiles(folder)
    const damaged = await moveDamagedLines(folder, join(folder, 'scores.jsonl'))
    tellSome(damaged.map(problem => `${problem}; moved to damaged.txt.`))
    const run = await openScoring(folder, manifest, options)
    tellSome(run.summaries.unreadableScores.map(problem => `${problem}.`))
    const attemptIds = run.summaries.attempts.map(attempt => attempt.attemptId)
    const scoring = await replaceScores({ folder, lock, attemptIds }, async keep => {
      const { judge, ...result } = await scoreRepeatedly(run, options, keep)
      lock.requireHeld()
      await writeManifest(folder, await makeScoredManifest(manifest, run, judge))
      return result
    })
    const limitation = run.seenDocuments.limitation(attemptIds.length)
    if (limitation !== null) options.tell?.(limitation)
    if (scoring.stability.length > 0) await writeStability(folder, scoring.stability)
    return scoring
  } finally {
    await lock.release()
  }
}

/**
 * Scores all attempts as often as asked, keeps the scores of the first repeat, and also returns the judge's name. The first
 * repeat is made last, because its records contain what judging has used in all repeats and in earlier scorings.
 */
async function scoreRepeatedly(
  run: Scoring,
  options: RescoringOptions,
  keep: (score: Score) => void,
): Promise<RunScoring & { readonly judge: string }> {
  const judging = createJudgingSum()
  const repeats: ScoreDigest[][] = []
  const usages = new Map(run.summaries.scores.map(score => [scoreKey.of(score), score.judgeUsage]))
  let judgeName = ''
  let scores = 0
  for (let repeat = options.repeats - 1; repeat >= 0; repeat--) {
    const judge = await judgeFor(options, repeat)
    judgeName = judge.name
    const digests: ScoreDigest[] = []
    await scoreAll(run, judge, score => {
      judging.add(score)
      const judgeUsage = addEarlierUsage(score.judgeUsage, usages.get(scoreKey.of(score)))
      usages.set(scoreKey.of(score), judgeUsage)
      if (options.repeats > 1) digests.push(makeScoreDigest(score))
      if (repeat > 0) return
      scores++
      keep({ ...score, judgeUsage })
    })
    repeats[repeat] = digests
  }
  const stability = options.repeats > 1 ? measureStability(repeats, judgeName) : []
  return { scores, judging: judging.totals(), stability, judge: judgeName }
}

/** Adds the metrics of the scorers, and the version of Tablehunt that made the scores. */
async function makeScoredManifest(
  manifest: Manifest,
  { scorers: names }: Scoring,
  judge: string,
): Promise<Manifest> {
  const version = await readCodeVersion()
  const scoredBy = Object.fromEntries(
    names.map(name => [`${name}/${nameRecordedJudge(scorers.get(name), judge)}`, version]),
  )
  return {
    ...manifest,
    scorers: { ...manifest.scorers, ...listScorerMetrics(names) },
    scoredBy: { ...manifest.scoredBy, ...scoredBy },
  }
}

/**
 * Returns one line for each plug-in of a run that is not loaded, or has changed since. Scoring does not load the plug-ins
 * that a manifest names, because a run may come from a stranger.
 */
function listPluginNotices(manifest: Manifest): string[] {
  if (manifest.source !== 'run') return []
  return (manifest.plugins ?? []).flatMap(({ name, hash }) => {
    const loadedPlugin = listLoadedPlugins().find(plugin => plugin.name === name)
    if (loadedPlugin === undefined)
      return [`the run's plug-in '${name}' is not loaded. If scores need it, name it with --plugin.`]
    if (loadedPlugin.hash === hash) return []
    return [`the plug-in '${name}' has changed since the run. New scores are made by its present code.`]
  })
}

/** A run with everything that scoring it needs. It is checked before the judge is asked. */
interface Scoring {
  readonly folder: string
  readonly summaries: RunSummaries
  readonly gold: ReadonlyMap<string, Task>
  readonly scorers: readonly string[]
  readonly seenDocuments: SeenDocumentsReader
  readonly successAt: number | null
  readonly allowMissingDocuments: boolean
}

async function openScoring(folder: string, manifest: Manifest, options: RescoringOptions): Promise<Scoring> {
  const gold = await readTasksOfRun(manifest)
  const summaries = await readSummaries(folder)
  await requireWholeAnswers(folder)
  // Samples of imported logs that match no task stay without scores.
  const attempts = manifest.source === 'import' ? [] : summaries.attempts
  for (const { taskId } of attempts)
    if (!gold.has(taskId))
      throw new DataError(`task ${taskId} of the run is missing in its tasks. Put the earlier files back.`, {
        code: 'tasks-changed',
      })
  const taskIds = new Set(summaries.attempts.map(({ taskId }) => taskId))
  const tasks = [...gold.values()].filter(({ question }) => taskIds.has(question.taskId))
  const { scorer } = options.config
  const judge = options.ask === undefined ? options.config.judge : nameFunctionJudge(options.ask)
  const benchmark = String(manifest.config.benchmark)
  return {
    folder,
    summaries,
    gold,
    scorers: chooseScorers(
      { benchmark, judge, scorer: scorer ?? listBenchmarkDefaults(benchmark).scorer },
      tasks,
    ),
    seenDocuments: new SeenDocumentsReader(folder),
    successAt: options.config.successAt,
    allowMissingDocuments: options.config.allowMissingDocuments,
  }
}

async function judgeFor({ config, ask, signal }: RescoringOptions, repeat: number): Promise<Judge> {
  if (ask !== undefined) return createFunctionJudge(ask, { signal, batch: config.judgeBatch })
  return await openJudgeAlone(config, { signal, repeat })
}

/** Reads the documents that the attempts of a run saw. */
class SeenDocumentsReader {
  readonly #folder: string
  readonly #blobs: BlobStore
  readonly #unknown = new Map<string, string>()
  readonly indexes = createTextIndexes()

  constructor(folder: string) {
    this.#folder = folder
    this.#blobs = createBlobStore({ folder })
  }

  /** Returns a text of the run's blobs by its hash. */
  readonly blob = (hash: string): string => this.#blobs.get(hash)

  async of({ attemptId }: Attempt): Promise<SeenDocuments | null> {
    const seenDocuments = await readSeenDocuments(this.#folder, attemptId, this.#blobs)
    if (!('missingBecause' in seenDocuments)) return seenDocuments
    this.#unknown.set(attemptId, seenDocuments.missingBecause)
    return null
  }

  /** Says for how many attempts the documents are unknown, and why; null when all are known. */
  limitation(attempts: number): string | null {
    const [first] = this.#unknown.values()
    if (first === undefined) return null
    return `${this.#unknown.size} of ${attempts} attempts have lost items without a class: ${first}`
  }
}

/** A judge model works on several attempts at the same time. */
const concurrentAttempts = 4

async function scoreAll(run: Scoring, judge: Judge, keep: (score: Score) => void): Promise<void> {
  const { folder, summaries, gold, seenDocuments, successAt, allowMissingDocuments } = run
  const failures = new Map(summaries.scores.map(score => [score.attemptId, score.infrastructureFailures]))
  const queue = summaries.attempts.values()
  const work = async (): Promise<void> => {
    for (const { attemptId, taskId } of queue) {
      const { attempt } = await summaries.wholeOf(attemptId)
      const task = gold.get(taskId)
      if (task === undefined) continue
      const answers = await readAnswers(folder, attempt)
      const checkpoints = answersFromWeb(attempt.setting)
        ? (await readCheckpoints(folder, attemptId)).map(makeCheckpoint)
        : []
      const infrastructureFailures = failures.get(attemptId) ?? 0
      const scores = await scoreAnswers({
        scorers: run.scorers,
        attempt,
        task,
        judge,
        clock: systemClock,
        infrastructureFailures,
        successAt,
        allowMissingDocuments,
        answers,
        checkpoints,
        blob: seenDocuments.blob,
      })
      const evidence = findTaskEvidence(task, attempt.setting)
      const hasSeen = task.evidence !== null && !answersFromMemory(attempt.setting)
      for (const score of scores) {
        const attemptDocuments =
          hasSeen && listItems(score).length > 0 ? await seenDocuments.of(attempt) : null
        keep(
          withLossClass(score, {
            attempt,
            evidence,
            seenDocuments: attemptDocuments,
            indexes: seenDocuments.indexes,
          }),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: judge.kind === 'model' ? concurrentAttempts : 1 }, work))
}
