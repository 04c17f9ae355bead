import type { Attempt } from '../../core/attempt.ts'
import { canonicalJson } from '../../core/hash.ts'
import type { Score } from '../../core/score.ts'
import { type ReportManifest, versionsOf } from '../build-report.ts'
import { groupBy } from '../entries.ts'

export interface ComparedRun {
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
}

/** What a reader of a comparison must know of its runs. */
export function runNotes(runs: readonly ComparedRun[]): string[] {
  return [
    ...unfinishedNotes(runs),
    ...versionNotes(runs),
    ...sealedNotes(runs),
    ...unscoredNotes(runs),
    ...repeatNotes(runs),
  ]
}

function unfinishedNotes(runs: readonly ComparedRun[]): string[] {
  return runs.flatMap(({ manifest: { runId, planned }, attempts }) => {
    const missing = (planned ?? attempts.length) - attempts.length
    return missing > 0 ? [`${missing} of ${planned} attempts of run ${runId} have not been made`] : []
  })
}

function versionNotes(runs: readonly ComparedRun[]): string[] {
  const versions = versionsOf(runs.map(run => run.manifest))
  return versions.length > 1 ? [`made by several versions of tablehunt (${versions.join(', ')})`] : []
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

/** Such runs have ends and costs to compare, no scores. */
function unscoredNotes(runs: readonly ComparedRun[]): string[] {
  return runs
    .filter(run => run.attempts.length > 0 && !run.scores.some(score => score.status === 'scored'))
    .map(({ manifest: { runId, config } }) => {
      const why =
        typeof config.imported === 'string' ? `imported from ${config.imported} logs, no gold` : 'no scores'
      return `run ${runId} stands in no table of scores (${why})`
    })
}

/** By these an attempt has another id, or none in one of the runs; webs and judges have words of their own. */
const toldApart = new Set([
  ...[
    'benchmark',
    'setting',
    'trials',
    'seed',
    'limit',
    'filter',
    'models',
    'cot',
    'controls',
    'retriever',
    'contextTokens',
  ],
  ...['web', 'twins', 'webSha256', 'judge', 'judgeBatch', 'profile', 'checkpointTokens'],
  ...['tasksSha256', 'documentsSha256', 'promptsSha256'],
])

/** The same attempt in two runs counts as two trials of its task, which it is where nothing but the seed differs. */
function repeatNotes(runs: readonly ComparedRun[]): string[] {
  const made = runs.flatMap(run => run.attempts.map(({ attemptId }) => ({ attemptId, run })))
  const repeated = [...groupBy(made, one => one.attemptId).values()].filter(group => group.length > 1)
  if (repeated.length === 0) return []
  const identities = [...new Set(repeated.flat().map(one => one.run))].map(run => run.manifest.identity ?? {})
  const names = new Set(identities.flatMap(identity => Object.keys(identity)))
  const differing = [...names]
    .filter(name => !toldApart.has(name))
    .map(name => [name, new Set(identities.map(identity => canonicalJson(identity[name] ?? null)))] as const)
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => `${name} (${[...values].sort().join(', ')})`)
  const but = differing.length === 0 ? '' : `, though their runs differ by ${differing.join(' and ')}`
  return [`${repeated.length} attempts stand in more than one run: they count as trials of one task${but}`]
}
