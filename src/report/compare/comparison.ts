import { ConfigError } from '../../core/errors.ts'
import { armsOfEntries } from '../model/arms.ts'
import { componentsOf } from '../model/components.ts'
import { differenceRows } from '../model/differences.ts'
import { type Entry, joinEntries } from '../model/entries.ts'
import { type CorrelationRow, facetCorrelations } from '../model/facet-correlations.ts'
import { type FacetCurve, facetCurves } from '../model/facet-curves.ts'
import { byFacet, defaultFacet, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { withHolm } from '../model/holm-rows.ts'
import { type RunScorers, scorersOf } from '../model/metrics.ts'
import type { RunBenchmarks } from '../model/pooled-layouts.ts'
import { radarTables } from '../model/radar-tables.ts'
import type { ReportArm } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { webOf } from '../model/report-input.ts'
import type { DifferenceRow, EndRow, RadarTable, TrialRow, WaterfallRow } from '../model/report-rows.ts'
import { type SearchServiceRow, searchServiceRows, timesOf } from '../model/search-services.ts'
import { endRows } from '../model/termination-rows.ts'
import { trialRows } from '../model/trials.ts'
import { waterfallRows } from '../model/waterfall.ts'
import type { CountTable } from './count-table.ts'
import { countTables } from './count-tables.ts'
import { entriesOnce } from './entries-once.ts'
import { modelDifferences } from './model-differences.ts'
import type { PaperTable } from './paper-table.ts'
import { paperTables, withFacet } from './paper-tables.ts'
import { requireModels } from './reasoning-groups.ts'
import { type ComparedRun, runNotes } from './run-notes.ts'
import { separateByOptions } from './run-options.ts'

/**
 * The comparison of several runs, as `compare RUN… --json` prints it.
 *
 * @example
 * import { type Comparison, compareRuns } from 'tablehunt'
 *
 * const { notes, groups }: Comparison = await compareRuns(['runs/first', 'runs/second'])
 * console.log(notes, groups.length)
 */
export interface Comparison {
  readonly runs: readonly { readonly runId: string; readonly web: string | null; readonly attempts: number }[]
  /** What a reader must know before comparing scores, such as what was pooled by --force. */
  readonly notes: readonly string[]
  /** The metrics of the runs' scorers. */
  readonly scorers: RunScorers
  /** The facet by which groups and differences are made. The field `domain` contains its value. */
  readonly facet: string
  /** Tables in the layouts of the benchmarks' papers that the runs have data for. */
  readonly tables: readonly PaperTable[]
  /** Tables of the papers that pool attempts, such as ExtractBench's Tables 5, 7 and 8. */
  readonly countTables: readonly CountTable[]
  /** Tables whose columns are the axes of a radar chart. Empty when the benchmark has none. */
  readonly radarTables: readonly RadarTable[]
  /** The primary metric by facets whose values are numbers, as the benchmarks declare. */
  readonly facetCurves: readonly FacetCurve[]
  /** Rank correlations of the primary metric with such facets. */
  readonly correlations: readonly CorrelationRow[]
  /** The compared arms, in the order of the rows. Rows name their arm by its id. */
  readonly arms: readonly ReportArm[]
  readonly groups: readonly ReportGroup[]
  /** Avg@N, Max@N, Min@N and Pass@N of each metric. Empty when no task has several scored trials. */
  readonly trials: readonly TrialRow[]
  /** Where each arm lost gold items, over all tasks. */
  readonly waterfall: readonly WaterfallRow[]
  /** Why attempts ended. Each attempt counts once, in the most frequent scoring. */
  readonly ends: readonly EndRow[]
  /** The cost of attempts over all tasks. Each attempt counts once, in the most frequent scoring. */
  readonly costs: readonly ReportGroup[]
  /** The search services of online attempts. Empty when all searched with the same one. */
  readonly searchServices: readonly SearchServiceRow[]
  /** Groups by task type. The field `domain` contains the type, such as `financial_4`. */
  readonly byTaskType: readonly ReportGroup[]
  /** Differences between settings of a model, and between models in a setting, paired over tasks. */
  readonly differences: readonly DifferenceRow[]
  /** Differences between settings of a model by task type. The field `domain` contains the type. */
  readonly differencesByTaskType: readonly DifferenceRow[]
}

/** Returns the kind of web of a run: live, sealed or replay. Drops the part after the colon. */
function webKindOf(run: ComparedRun): string | null {
  return webOf(run.manifest)?.split(':')[0] ?? null
}

interface MixedJudges {
  readonly judges: readonly string[]
  /** The distinct sets of judges of the runs, each joined to one text. */
  readonly sets: readonly string[]
}

/** Returns the scorers for which the runs have different judges. */
function mixedJudges(runs: readonly ComparedRun[]): ReadonlyMap<string, MixedJudges> {
  const scores = runs.map(run => run.scores)
  const scorerNames = distinct(scores.flat().map(score => score.scorer))
  return new Map(
    scorerNames.flatMap(scorer => {
      const byRun = scores.map(own => own.flatMap(one => (one.scorer === scorer ? one.judge : [])))
      const sets = distinct(byRun.filter(own => own.length > 0).map(own => distinct(own).join(' and ')))
      return sets.length > 1 ? [[scorer, { judges: distinct(byRun.flat()), sets }] as const] : []
    }),
  )
}

function pooledJudges(entries: readonly Entry[], mixed: ReadonlyMap<string, MixedJudges>): Entry[] {
  return entries.map(entry => {
    const judges = mixed.get(entry.key.scorer)?.judges
    if (judges === undefined) return entry
    return { ...entry, key: { ...entry.key, judge: `mixed: ${judges.join(', ')}` } }
  })
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

function requireComparable(webs: readonly string[], mixed: ReadonlyMap<string, MixedJudges>): void {
  if (webs.length > 1) {
    throw new ConfigError(
      `The online attempts of these runs used different webs (${webs.join(', ')}), so their scores cannot be compared. Name runs with the same web, or add --force to pool them.`,
      { code: 'webs-differ' },
    )
  }
  for (const [scorer, { sets }] of mixed)
    throw new ConfigError(
      `scorer ${scorer}: the runs have different judges (${sets.join('; ')}), so their scores cannot be compared. Score all runs with one judge ('tablehunt score RUN --judge JUDGE'), or add --force to pool them.`,
      { code: 'judges-differ' },
    )
}

/** Settings of a comparison. */
export interface CompareOptions {
  /** Pools runs with different webs or judges, and adds a note. */
  readonly force: boolean
  /** The facet by which attempts are grouped; the default is the domain. */
  readonly facet?: string
  /** The tables of the papers of the runs' benchmarks, by the benchmark's name. */
  readonly benchmarks?: RunBenchmarks
  /** The models that reason, by their names in the records or the last part of these. Absent: as the records say. */
  readonly reasoningModels?: readonly string[]
}

/** Returns the runs with the value of a facet in place of their attempts' domains. */
export function groupedRuns(runs: readonly ComparedRun[], facet: string): ComparedRun[] {
  const all = byFacet(
    runs.flatMap(run => run.attempts),
    facet,
  )
  let next = 0
  return runs.map(run => {
    const from = next
    next += run.attempts.length
    return { ...run, attempts: all.slice(from, next) }
  })
}

/**
 * Compares several runs, from their records. Runs with online attempts on different webs, or with different judges for
 * one scorer, are an error unless `force` pools them. If every run has scores by several judges, each judge gets its own
 * rows. The same attempts made with other options, such as budgets, also get their own rows.
 *
 * @throws ConfigError [webs-differ], [judges-differ], [unknown-model], or [unknown-facet] when no attempt has the facet
 */
export function compareRuns(given: readonly ComparedRun[], options: CompareOptions): Comparison {
  const { facet = defaultFacet, benchmarks = {}, reasoningModels = null } = options
  requireModels(
    reasoningModels,
    given.flatMap(run => run.attempts.map(({ model }) => model)),
  )
  const { runs, notes: apart } = separateByOptions(groupedRuns(given, facet))
  const webs = onlineWebs(runs)
  const mixed = mixedJudges(runs)
  if (!options.force) requireComparable(webs, mixed)
  const components = componentsOf(runs.flatMap(run => run.attempts))
  const own = runs.flatMap(run => joinEntries(run.attempts, run.scores, { tainted: run.tainted, components }))
  const entries = pooledJudges(own, mixed)
  const typed = withFacet(entries, taskTypeFacet)
  const scorers = scorersOf(
    Object.assign({}, ...runs.map(run => run.scorers)),
    runs.flatMap(run => run.scores),
  )
  const arms = armsOfEntries(entries)
  const groups = reportGroups(entries, scorers, arms)
  const types = reportGroups(typed, scorers, arms)
  const once = entriesOnce(runs)
  return {
    runs: runs.map(run => ({
      runId: run.manifest.runId,
      web: webKindOf(run),
      attempts: run.attempts.length,
    })),
    notes: [...mixtureNotes(runs, webs, mixed), ...apart, ...runNotes(runs)],
    scorers,
    facet,
    countTables: countTables(entries, benchmarks, reasoningModels),
    radarTables: radarTables(entries, { scorers, benchmarks, arms }),
    tables: paperTables({ entries, groups, facet, scorers, benchmarks }),
    facetCurves: facetCurves(entries, benchmarks, scorers),
    correlations: facetCorrelations(entries, benchmarks, scorers),
    arms: arms.arms,
    groups,
    trials: trialRows(entries, scorers),
    waterfall: waterfallRows(entries).filter(row => row.domain === 'all'),
    ends: endRows(once, scorers, arms),
    costs: reportGroups(once, scorers, arms).filter(group => group.domain === 'all'),
    searchServices: searchServiceRows({
      ...{ groups, scorers },
      times: runs.flatMap(run => timesOf(run.attempts, run.searchTimes)),
    }),
    byTaskType: types.filter(group => !['all', 'allByDomain'].includes(group.domain)),
    differences: withHolm(
      [...differenceRows(entries, scorers, arms), ...modelDifferences(entries, scorers, arms)],
      scorers,
    ),
    differencesByTaskType: withHolm(
      differenceRows(typed, scorers, arms).filter(row => row.domain !== 'all'),
      scorers,
    ),
  }
}

/** Returns the kinds of web that the online attempts of these runs used. */
function onlineWebs(runs: readonly ComparedRun[]): string[] {
  const online = runs.filter(run => run.attempts.some(attempt => attempt.setting === 'online'))
  return distinct(online.flatMap(run => webKindOf(run) ?? []))
}

/** Reports different webs, judges and scorers of the compared runs. */
function mixtureNotes(
  runs: readonly ComparedRun[],
  webs: readonly string[],
  mixed: ReadonlyMap<string, MixedJudges>,
): string[] {
  const scores = runs.flatMap(run => run.scores)
  const judges = distinct(scores.map(score => score.judge))
  const scorerNames = distinct(scores.map(score => score.scorer))
  const pooled = '--force pooled them, so do not compare their scores'
  return [
    ...(webs.length > 1 ? [`the webs differ (${webs.join(', ')}). ${pooled}`] : []),
    ...(judges.length > 1
      ? [`the judges differ (${judges.join(', ')}). ${mixed.size > 0 ? pooled : 'Each has its own rows'}`]
      : []),
    ...(scorerNames.length > 1
      ? [`the scorers differ (${scorerNames.join(', ')}). Each has its own tables`]
      : []),
  ]
}
