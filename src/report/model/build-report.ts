import { type Attempt, isUnfinished, type ToolKind } from '../../core/attempt.ts'
import { itemsOf, type Score } from '../../core/score.ts'
import { reportArms } from './arms.ts'
import { degradationRows } from './degradation.ts'
import { differenceRows } from './differences.ts'
import { compareArms, type Entry, groupBy, hasUnknownLeaks, joinEntries } from './entries.ts'
import { explainedEntries } from './explained-attempts.ts'
import { byFacet, defaultFacet } from './facets.ts'
import { firstTables } from './first-report.ts'
import { reportGroups } from './groups.ts'
import { judgingTotals } from './judging.ts'
import { type RunScorers, scorersOf } from './metrics.ts'
import { pooledTables, type RunBenchmarks } from './pooled-layouts.ts'
import type { Curve, Report, SkippedTask, StabilityRow, ToolFailureRow } from './report.ts'
import { contextCurves, evidenceCurves } from './retrieval-curves.ts'
import { endRows, firstScoring, terminationRows } from './termination-rows.ts'
import { trialRows } from './trials.ts'
import { unseenRows } from './unseen.ts'
import { waterfallRows } from './waterfall.ts'

interface CommonManifest {
  readonly runId: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** What its results hang on, by name. */
  readonly identity?: Readonly<Record<string, unknown>>
  readonly planned?: number
  /** Records that were no tasks. */
  readonly skippedTasks?: readonly unknown[]
  /** The version of the program that began it, and others that went on with it. */
  readonly codeVersion?: string | undefined
  readonly laterVersions?: readonly string[] | undefined
}

/** The part of a manifest that a report reads: of a run, with its resolved options, or of imported logs. */
export type ReportManifest = CommonManifest &
  (
    | { readonly source?: 'run'; readonly config: Readonly<Record<string, unknown>> }
    | { readonly source: 'import'; readonly config: { readonly imported: string } }
  )

export interface ReportInput {
  readonly manifest: ReportManifest
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** What the scorers of the run measure, by name. A scorer that is missing is read off its records. */
  readonly scorers: RunScorers
  /** The tables of the papers of the run's benchmarks, by the benchmark's name. */
  readonly benchmarks?: RunBenchmarks
  /** The facet by which attempts are grouped; absent: the domain. */
  readonly facet?: string
  readonly skippedTasks: readonly SkippedTask[]
  /** Lines that need more than records, such as budget curves from traces. */
  readonly curves?: readonly Curve[]
  /** How repeated scorings agree, where there were any. */
  readonly stability?: readonly StabilityRow[]
  /** Ids of attempts in the leak ledger; absent: the ledger is not known. */
  readonly tainted?: ReadonlySet<string>
}

/** Attempts that the report explains; the pages of the attempts explain all of them. */
const mostExplained = 3

/** What --web was; null for imported logs. */
export function webOf(manifest: ReportManifest): string | null {
  if (manifest.source === 'import') return null
  const { web } = manifest.config
  return typeof web === 'string' ? web : null
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

/** The versions of the program that made the runs, each once, commits cut short. */
export function versionsOf(manifests: readonly ReportManifest[]): string[] {
  const all = manifests.flatMap(({ codeVersion, laterVersions = [] }) => [codeVersion, ...laterVersions])
  const known = all.filter(version => version !== undefined)
  return distinct(known.map(version => version.replace(/(\+[0-9a-f]{10})[0-9a-f]*$/, '$1')))
}

/** That a run left out records of its tasks file, by how many. */
export function skippedNote(skipped: number): string {
  return `${skipped} ${skipped === 1 ? 'task could not be read and was' : 'tasks could not be read and were'} skipped`
}

/** How many attempts of the plan are still to be made; 0 for a finished run. */
export function attemptsLeft(
  { planned, source }: Pick<ReportManifest, 'planned' | 'source'>,
  attempts: readonly Attempt[],
): number {
  // Unfinished attempts are made again, except those of imported logs.
  const made = attempts.filter(one => source === 'import' || !isUnfinished(one.termination)).length
  return Math.max(0, (planned ?? made) - made)
}

/** What a reader must know of a run that is not finished; null for a finished one. */
export function unfinishedNote(
  manifest: Pick<ReportManifest, 'planned' | 'source'>,
  attempts: readonly Attempt[],
  name = 'the run',
): string | null {
  const missing = attemptsLeft(manifest, attempts)
  if (missing === 0) return null
  const { planned } = manifest
  const hasFailed = attempts.some(one => one.termination.fatalService !== undefined)
  const unfinished = hasFailed ? 'are to be made again' : 'were cancelled'
  const isPartial = (planned ?? 0) - missing < attempts.length
  const how = isPartial ? `have not been made or ${unfinished}` : 'have not been made'
  return `${missing} of ${planned} attempts ${how}: ${name} is not finished`
}

/** That the classes of some losses are not known; null where all are. */
export function classlessNote(entries: readonly Entry[]): string | null {
  const classless = entries.filter(
    ({ score }) =>
      score !== null &&
      itemsOf(score).some(item => item.class === null && item.score !== null && item.score < 1),
  ).length
  if (classless === 0) return null
  return `${classless} scored ${classless === 1 ? 'attempt has' : 'attempts have'} losses without a class, because the evidence or the documents of their tasks are unknown (a run without --docs, or of an older version): the waterfall shows these losses as unknown`
}

function notesOf(input: ReportInput, entries: readonly Entry[]): string[] {
  const notes: string[] = []
  const { manifest, attempts } = input
  const unfinished = unfinishedNote(manifest, attempts)
  if (unfinished !== null) notes.push(unfinished)
  const versions = versionsOf([manifest])
  if (versions.length > 1)
    notes.push(`made by several versions of tablehunt (${versions.join(', ')}): attempts may differ by that`)
  const unscored = new Set(
    entries.filter(entry => entry.score === null).map(entry => entry.attempt.attemptId),
  )
  if (manifest.source === 'import') {
    notes.push(
      `imported from ${manifest.config.imported} logs: no gold, so nothing is scored; – is what the logs do not say`,
    )
  } else if (unscored.size > 0) {
    notes.push(`${unscored.size} attempts have no score record: 'score RUN' makes them`)
  }
  const judges = distinct(input.scores.map(score => score.judge))
  if (judges.length > 1) {
    notes.push(`judges are mixed (${judges.join(', ')}): numbers of different judges do not compare`)
  }
  const profiles = distinct(input.scores.map(score => score.profile))
  if (profiles.length > 1)
    notes.push(`scored by several scorers (${profiles.join(', ')}): each has its own tables`)
  const classless = classlessNote(entries)
  if (classless !== null) notes.push(classless)
  const tainted = attempts.filter(attempt => input.tainted?.has(attempt.attemptId)).length
  if (tainted > 0) {
    notes.push(
      `${tainted} attempts met rows of gold outside their documents, or a page that publishes answers (leaks.jsonl): scores stand with and without them`,
    )
  }
  const unknownLeaks = attempts.filter(hasUnknownLeaks).length
  if (unknownLeaks > 0) {
    notes.push(
      `${unknownLeaks} attempts with tools were not searched for rows of gold that they met: the evidence of their tasks is not known`,
    )
  }
  if (input.skippedTasks.length > 0) {
    notes.push(skippedNote(input.skippedTasks.length))
  }
  return notes
}

/**
 * The report of one run, from its records alone. The same records give the same report, to the last bit.
 *
 * @throws ConfigError 'unknown-facet' where no attempt has the facet
 */
export function buildReport(input: ReportInput): Report {
  const { manifest, scores, facet = defaultFacet } = input
  const attempts = byFacet(input.attempts, facet)
  const scorers = scorersOf(input.scorers, scores)
  const entries = joinEntries(attempts, scores, input.tainted)
  const arms = reportArms(attempts)
  const groups = reportGroups(entries, scorers, arms)
  const pooled = pooledTables(entries, input.benchmarks ?? {})
  const online = attempts.some(attempt => attempt.setting === 'online')
  const embedders = attempts.flatMap(attempt => attempt.retrieval?.embedder ?? [])
  return {
    run: {
      runId: manifest.runId,
      startedAt: manifest.startedAt,
      endedAt: manifest.endedAt,
      planned: manifest.planned ?? null,
      attempts: attempts.length,
      web: online ? webOf(manifest) : null,
      // Of several retrievers, some may need no vectors.
      embedder: embedders.find(name => name !== 'none') ?? embedders[0] ?? null,
      profiles: distinct(scores.map(score => score.profile)),
      judges: distinct(scores.map(score => score.judge)),
      judging: judgingTotals(scores),
    },
    scorers,
    facet,
    skippedTasks: input.skippedTasks,
    notes: notesOf(input, entries),
    arms: arms.arms,
    groups,
    terminations: terminationRows(entries, scorers, arms),
    toolFailures: toolFailureRows(attempts),
    ends: endRows(firstScoring(entries), scorers, arms),
    differences: differenceRows(entries, scorers, arms),
    trials: trialRows(entries, scorers),
    ...firstTables(),
    ...pooled.rows,
    benchmarkTables: pooled.tables,
    waterfall: waterfallRows(entries),
    unseen: unseenRows(entries),
    degradation: degradationRows(entries, scorers),
    curves: [...evidenceCurves(groups), ...contextCurves(groups, scorers), ...(input.curves ?? [])],
    explained: explainedEntries(firstScoring(entries), scorers, mostExplained),
    stability: input.stability ?? [],
  }
}

/** One row for each arm and kind of tool that was called; none for attempts of versions that did not count. */
export function toolFailureRows(attempts: readonly Attempt[]): ToolFailureRow[] {
  const arms = groupBy(attempts, ({ setting, model, variant }) => JSON.stringify([setting, model, variant]))
  return [...arms.values()]
    .sort(([a], [b]) => compareArms(a!, b!))
    .flatMap(own => [...rowOf(own, 'search'), ...rowOf(own, 'fetch')])
}

function rowOf(attempts: readonly Attempt[], tool: ToolKind): ToolFailureRow[] {
  const counted = attempts.flatMap(attempt => attempt.toolFailures?.[tool] ?? [])
  const calls = counted.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) return []
  const byClass = new Map<string, number>()
  for (const [name, n] of counted.flatMap(one => Object.entries(one.failed)))
    byClass.set(name, (byClass.get(name) ?? 0) + n)
  const failed = [...byClass.values()].reduce((sum, n) => sum + n, 0)
  const { setting, model, variant } = attempts[0]!
  const classes = Object.fromEntries([...byClass].sort((a, b) => b[1] - a[1]))
  return [{ setting, model, variant, tool, calls, failed, share: failed / calls, classes }]
}
