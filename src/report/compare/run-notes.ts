import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { isObject } from '../../text/json.ts'
import { groupBy } from '../model/entries.ts'
import type { RunScorers } from '../model/metrics.ts'
import type { ReportManifest } from '../model/report-input.ts'
import { skippedNote, unfinishedNote, versionsOf } from '../model/report-notes.ts'

export interface ComparedRun {
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** What its scorers measure, by name. */
  readonly scorers: RunScorers
  /** Ids of attempts in the leak ledger; absent: the ledger is not known. */
  readonly tainted?: ReadonlySet<string>
}

/** What a reader of a comparison must know of its runs. */
export function runNotes(runs: readonly ComparedRun[]): string[] {
  return [
    ...unfinishedNotes(runs),
    ...skippedNotes(runs),
    ...versionNotes(runs),
    ...environmentNotes(runs),
    ...sealedNotes(runs),
    ...unscoredNotes(runs),
    ...leakNotes(runs),
    ...taskNotes(runs),
    ...repeatNotes(runs),
  ]
}

function unfinishedNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(
    ({ manifest, attempts }) => unfinishedNote(manifest, attempts, `run ${manifest.runId}`) ?? [],
  )
}

function skippedNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest: { runId, skippedTasks = [] } }) =>
    skippedTasks.length === 0 ? [] : [`run ${runId}: ${skippedNote(skippedTasks.length)}`],
  )
}

function versionNotes(runs: readonly ComparedRun[]): string[] {
  const versions = versionsOf(runs.map(run => run.manifest))
  return versions.length > 1 ? [`made by several versions of tablehunt (${versions.join(', ')})`] : []
}

/** Runs of older versions do not record their environment. */
function environmentNotes(runs: readonly ComparedRun[]): string[] {
  const known = runs.map(run => run.manifest.identity?.environment).filter(isObject)
  return ['documentText', 'ocr', 'browser', 'reranker'].flatMap(name => {
    const values = known.flatMap(environment => (name in environment ? [environment[name] ?? 'none'] : []))
    const distinct = [...new Set(values.map(String))].sort()
    if (distinct.length < 2) return []
    return [`runs differ in ${name} (${distinct.join(', ')}): their attempts may differ by that`]
  })
}

/** Sealed webs of other documents, twins or seeds are more or less hard to search. */
function sealedNotes(runs: readonly ComparedRun[]): string[] {
  const met = runs.flatMap(({ manifest, attempts }) => {
    const web = manifest.identity?.webSha256
    const online = attempts.filter(attempt => attempt.setting === 'online')
    return typeof web === 'string' ? online.map(({ taskId }) => ({ taskId, web })) : []
  })
  const differing = [...groupBy(met, one => one.taskId).values()].filter(
    ([first, ...others]) => first !== undefined && others.some(other => other.web !== first.web),
  ).length
  return differing === 0
    ? []
    : [
        `${differing} tasks were searched for on sealed webs that differ (documents, --twins or --seed): their online attempts do not compare`,
      ]
}

const hasScores = (run: ComparedRun): boolean => run.scores.some(score => score.status === 'scored')

/** Such runs have ends and costs to compare, no scores. */
function unscoredNotes(runs: readonly ComparedRun[]): string[] {
  return runs
    .filter(run => run.attempts.length > 0 && !hasScores(run))
    .map(({ manifest }) => {
      const isImport = manifest.source === 'import'
      const why = isImport ? `imported from ${manifest.config.imported} logs, no gold` : 'no scores'
      return `run ${manifest.runId} stands in no table of scores (${why})`
    })
}

function leakNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest, attempts, tainted }) => {
    const n = attempts.filter(one => tainted?.has(one.attemptId)).length
    return n === 0
      ? []
      : [
          `${n} attempts of run ${manifest.runId} met rows of gold outside their documents, or a page that publishes answers: its report has the scores without them`,
        ]
  })
}

/** A mean over easy tasks stands beside one over hard ones, where a reader sees n alone. */
function taskNotes(runs: readonly ComparedRun[]): string[] {
  const made = runs.filter(hasScores).flatMap(run => run.attempts)
  const byModel = [...groupBy(made, one => one.model).values()].map(of => new Set(of.map(one => one.taskId)))
  const tasks = [...new Set(made.map(attempt => attempt.taskId))]
  const shared = tasks.filter(task => byModel.every(own => own.has(task))).length
  return shared === tasks.length
    ? []
    : [
        `models were given different tasks (${shared} of ${tasks.length} are common to all): their means do not compare, the differences between them do (paired over tasks)`,
      ]
}

/** The same attempt in two runs counts as two trials of its task. */
function repeatNotes(runs: readonly ComparedRun[]): string[] {
  const made = runs.flatMap(run => run.attempts)
  const kinds = groupBy(made, one => JSON.stringify([one.attemptId, one.variant]))
  const repeated = [...kinds.values()].filter(group => group.length > 1).length
  return repeated === 0
    ? []
    : [`${repeated} attempts stand in more than one run: they count as trials of one task`]
}
