import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Score } from '../../core/score.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import { isObject } from '../../text/json.ts'
import type { JudgeMark } from '../model/judge-agreement.ts'
import type { RunScorers } from '../model/metrics.ts'
import { listSuccessNotes, listUnratedNotes } from '../model/record-notes.ts'
import type { ReportManifest } from '../model/report-input.ts'
import {
  listUnreadableMarksNotes,
  listUnreadableScoresNotes,
  listUsageNotes,
  listVersions,
  writeMissingDocumentsNote,
  writeSkippedNote,
  writeUnfinishedNote,
} from '../model/report-notes.ts'
import type { SearchTime } from '../model/search-services.ts'

/** The records of a run to compare. */
export interface ComparedRun {
  /** The name among the compared runs. Runs with names that made the same attempts with the same seed get their own rows. */
  readonly name?: string
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** The metrics of its scorers, by scorer name. */
  readonly scorers: RunScorers
  /** The search times of online attempts by their ids. Absent when all runs searched with the same service. */
  readonly searchTimes?: ReadonlyMap<string, SearchTime>
  /** The marks of `audit`. Absent when there are none. */
  readonly marks?: readonly JudgeMark[]
  /** What answers without any work get at the scored tasks. Absent when the tasks are not available. */
  readonly limits?: readonly ScoreLimits[]
  /** Ids of the attempts in the leak ledger. Absent when the ledger is not available. */
  readonly tainted?: ReadonlySet<string>
  /** What is wrong with each record of a score that could not be read. Absent when all could be. */
  readonly unreadableScores?: readonly string[]
  readonly unreadableMarks?: string
}

/** Lists what a reader must know before comparing these runs. */
export function runNotes(runs: readonly ComparedRun[]): string[] {
  return [
    ...listUnfinishedNotes(runs),
    ...listSkippedNotes(runs),
    ...listMissingDocumentsNotes(runs),
    ...runs.flatMap(({ manifest, attempts }) =>
      listUsageNotes(attempts).map(note => `run ${manifest.runId}: ${note}`),
    ),
    ...listVersionNotes(runs),
    ...listEnvironmentNotes(runs),
    ...listSealedNotes(runs),
    ...listUnscoredNotes(runs),
    ...runs.flatMap(run => listUnreadableMarksNotes(run).map(note => `run ${run.manifest.runId}: ${note}`)),
    ...runs.flatMap(run => listUnreadableScoresNotes(run).map(note => `run ${run.manifest.runId}: ${note}`)),
    ...runs.flatMap(({ manifest, scores }) =>
      listUnratedNotes(scores).map(note => `run ${manifest.runId}: ${note}`),
    ),
    ...listSuccessNotes(runs.flatMap(({ scores }) => scores)),
    ...listLeakNotes(runs),
    ...listTaskNotes(runs),
    ...repeatNotes(runs),
  ]
}

function listUnfinishedNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(
    ({ manifest, attempts }) => writeUnfinishedNote(manifest, attempts, `run ${manifest.runId}`) ?? [],
  )
}

function listSkippedNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest: { runId, skippedTasks = [] } }) =>
    skippedTasks.length === 0 ? [] : [`run ${runId}: ${writeSkippedNote(skippedTasks.length)}`],
  )
}

function listMissingDocumentsNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest, attempts, scores }) => {
    const note = writeMissingDocumentsNote(attempts, scores)
    return note === null ? [] : [`run ${manifest.runId}: ${note}`]
  })
}

function listVersionNotes(runs: readonly ComparedRun[]): string[] {
  const versions = listVersions(runs.map(run => run.manifest))
  return versions.length > 1
    ? [`several versions of tablehunt made these runs (${versions.join(', ')}), which can affect the results`]
    : []
}

/** Reports different environments. Imported logs do not record them. */
function listEnvironmentNotes(runs: readonly ComparedRun[]): string[] {
  const environments = runs.map(run => run.manifest.identity?.environment).filter(isObject)
  return ['documentText', 'ocr', 'browser', 'reranker'].flatMap(name => {
    const values = environments.flatMap(environment =>
      name in environment ? [environment[name] ?? 'none'] : [],
    )
    const distinct = [...new Set(values.map(String))].sort()
    if (distinct.length < 2) return []
    return [
      `the runs used different programs for ${name} (${distinct.join(', ')}), which can affect the results`,
    ]
  })
}

/** Reports different sealed webs: with other documents, twins or seeds, a web is easier or harder to search. */
function listSealedNotes(runs: readonly ComparedRun[]): string[] {
  const met = runs.flatMap(({ manifest, attempts }) => {
    const web = manifest.identity?.webSha256
    const online = attempts.filter(attempt => attempt.setting === 'online')
    return typeof web === 'string' ? online.map(({ taskId }) => ({ taskId, web })) : []
  })
  const differing = [...groupBy(met, search => search.taskId).values()].filter(
    ([first, ...laterSearches]) =>
      first !== undefined && laterSearches.some(search => search.web !== first.web),
  ).length
  return differing === 0
    ? []
    : [
        `the online attempts at ${differing} ${differing === 1 ? 'task' : 'tasks'} used different sealed webs (other documents, --twins or --seed). Do not compare them`,
      ]
}

const hasScores = (run: ComparedRun): boolean => run.scores.some(score => score.status === 'scored')

/** Reports runs without scores, of which only terminations and costs can be compared. */
function listUnscoredNotes(runs: readonly ComparedRun[]): string[] {
  return runs
    .filter(run => run.attempts.length > 0 && !hasScores(run))
    .map(({ manifest }) => {
      const why =
        manifest.source === 'import'
          ? `it was imported from ${manifest.config.imported} logs, which have no gold answers`
          : 'it has no scored attempts'
      return `run ${manifest.runId} is missing from the tables of scores, because ${why}`
    })
}

function listLeakNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest, attempts, tainted }) => {
    const n = attempts.filter(attempt => tainted?.has(attempt.attemptId)).length
    return n === 0
      ? []
      : [
          `${n} ${n === 1 ? 'attempt' : 'attempts'} of run ${manifest.runId} saw gold rows outside the task's documents, or a page that publishes answers. The report of that run has the scores without them`,
        ]
  })
}

/** Reports models with different tasks, because the mean of one may be over easier tasks than the mean of another. */
function listTaskNotes(runs: readonly ComparedRun[]): string[] {
  const scoredAttempts = runs.filter(hasScores).flatMap(run => run.attempts)
  const byModel = [...groupBy(scoredAttempts, attempt => attempt.model).values()].map(
    of => new Set(of.map(attempt => attempt.taskId)),
  )
  const tasks = [...new Set(scoredAttempts.map(attempt => attempt.taskId))]
  const shared = tasks.filter(task => byModel.every(modelTasks => modelTasks.has(task))).length
  return shared === tasks.length
    ? []
    : [
        `the models have different tasks (${shared} of ${tasks.length} are common to all). Compare their differences, which are paired over tasks, and not their means`,
      ]
}

/** Reports attempts that are in several runs, because they count as trials of their task. */
function repeatNotes(runs: readonly ComparedRun[]): string[] {
  const attempts = runs.flatMap(run => run.attempts)
  const kinds = groupBy(attempts, attempt => JSON.stringify([attempt.attemptId, attempt.options]))
  const repeated = [...kinds.values()].filter(group => group.length > 1).length
  return repeated === 0
    ? []
    : [
        `${repeated} ${repeated === 1 ? 'attempt is' : 'attempts are'} in more than one run. The copies count as trials of the same task`,
      ]
}
