import { armKey } from '../../core/arm.ts'
import { ConfigError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import type { Table } from '../../core/table.ts'
import { shortenModelName } from '../model/arm-names.ts'
import { listArms } from '../model/arms.ts'
import { makeBenchmarkTables, type RunBenchmarks } from '../model/benchmark-tables.ts'
import { reportFigures, runSummary } from '../model/build-report.ts'
import { listUnequalTasksNotes } from '../model/common-tasks.ts'
import { correctDifferences, listDifferenceRows } from '../model/differences.ts'
import { connectDocuments, type Entry, joinEntries } from '../model/entries.ts'
import { defaultFacet, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { completeScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { sortUnique } from '../model/report-notes.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import {
  findMixedJudges,
  listMixtureNotes,
  listOnlineWebs,
  nameWebKind,
  requireComparable,
  withPooledJudges,
} from './mixtures.ts'
import type { PaperTable } from './paper-table.ts'
import { makePaperTables, withFacet } from './paper-tables.ts'
import { type PoolingOptions, poolManifests, poolRuns } from './pool-runs.ts'
import { type ComparedRun, runNotes } from './run-notes.ts'

/**
 * The comparison of several runs, as `compare RUN… --json` prints it: their report, with tables in the layouts of papers.
 *
 * @example
 * import { type Comparison, compareRuns } from 'tablehunt'
 *
 * const { notes, groups }: Comparison = await compareRuns(['runs/first', 'runs/second'])
 * console.log(notes, groups.length)
 */
export interface Comparison extends Report {
  readonly runs: readonly { readonly runId: string; readonly web: string | null; readonly attempts: number }[]
  /** Tables in the layouts of the benchmarks' papers that the runs have data for. */
  readonly tables: readonly PaperTable[]
  /** Further tables of the papers, such as ExtractBench's Tables 5, 7 and 8. */
  readonly compareTables: readonly Table[]
  /** The cost of attempts over all tasks. Each attempt counts once, in the most frequent scoring. */
  readonly costs: readonly ReportGroup[]
  /** Groups by task type. The field `domain` contains the type, such as `financial_4`. */
  readonly byTaskType: readonly ReportGroup[]
  /** Differences between settings of a model by task type. The field `domain` contains the type. */
  readonly differencesByTaskType: readonly DifferenceRow[]
}

/** Settings of a comparison. */
export interface CompareOptions extends PoolingOptions {
  /** Pools runs with different webs or judges, and adds a note. */
  readonly force: boolean
  /** The tables of the papers of the runs' benchmarks, by the benchmark's name. */
  readonly benchmarks?: RunBenchmarks
  /** The models that reason, by their names in the records or the last part of these. Absent: as the records say. */
  readonly reasoningModels?: readonly string[]
  /** The arm with which all others are compared. Absent: the first one with a score. */
  readonly baseline?: string | undefined
}

/**
 * Compares several runs, from their records. Runs with online attempts on different webs, or with different judges for
 * one scorer, are an error unless `force` pools them. If every run has scores by several judges, each judge gets its own
 * rows. The same attempts made with other options, such as budgets, also get their own rows.
 *
 * @throws ConfigError [webs-differ], [judges-differ], [unknown-model], [unknown-arm], or [unknown-facet] when no attempt has the facet
 */
export function compareRuns(compared: readonly ComparedRun[], options: CompareOptions): Comparison {
  const { facet = defaultFacet, benchmarks = {}, reasoningModels = null } = options
  requireModels(
    reasoningModels,
    compared.flatMap(run => run.attempts.map(({ model }) => model)),
  )
  const { runs, separated, notes } = poolRuns(compared, options)
  const webs = listOnlineWebs(separated)
  const mixed = findMixedJudges(separated)
  if (!options.force) requireComparable(webs, mixed)
  const attempts = runs.flatMap(run => run.attempts)
  const scores = runs.flatMap(run => run.scores)
  const components = connectDocuments(attempts)
  const joined = runs.map(run =>
    joinEntries(run.attempts, run.scores, { tainted: run.tainted, limits: run.limits, components }),
  )
  const entries = withPooledJudges(joined.flat(), mixed)
  const typed = withFacet(entries, taskTypeFacet)
  const scorers = completeScorers(Object.assign({}, ...compared.map(run => run.scorers)), scores)
  const arms = listArms(entries)
  const once = removeRepeatedEntries(joined)
  const figures = reportFigures({
    ...{ entries, endEntries: once, attempts, arms, scorers, benchmarks, facet },
    marks: runs.flatMap(({ marks }) => marks),
    baseline: options.baseline,
    searchTimes: new Map(runs.flatMap(({ searchTimes = [] }) => [...searchTimes])),
  })
  const { groups } = figures
  return {
    runs: compared.map(run => ({
      runId: run.manifest.runId,
      web: nameWebKind(run),
      attempts: run.attempts.length,
    })),
    run: runSummary(poolManifests(compared), attempts, scores),
    skippedTasks: [],
    notes: [
      ...listMixtureNotes(separated, webs, mixed),
      ...listUnequalTasksNotes(entries, scorers),
      ...notes,
      ...runNotes(separated),
    ],
    ...figures,
    compareTables: makeBenchmarkTables(entries, benchmarks, {
      kind: 'compareTables',
      isReasoning:
        reasoningModels === null ? null : model => reasoningModels.some(name => isNamed(model, name)),
    }),
    tables: makePaperTables({
      entries,
      groups,
      facet,
      scorers,
      benchmarks,
      judgeAgreements: figures.judgeAgreements,
    }),
    costs: reportGroups(once, scorers, arms).filter(group => group.domain === 'all'),
    byTaskType: reportGroups(typed, scorers, arms).filter(
      group => !['all', 'allByDomain'].includes(group.domain),
    ),
    differencesByTaskType: correctDifferences(
      listDifferenceRows(typed, scorers, arms).filter(row => row.domain !== 'all'),
      scorers,
    ),
  }
}

/** Stands for a list without models. */
const noModels = 'none'

/**
 * Checks that each name of `--reasoning-models` is a model of the runs, or `none`.
 *
 * @throws ConfigError [unknown-model]
 */
function requireModels(names: readonly string[] | null, models: readonly string[]): void {
  const distinctModels = sortUnique(models)
  const unknown = names?.find(
    name => name !== noModels && !distinctModels.some(model => isNamed(model, name)),
  )
  if (unknown === undefined) return
  throw new ConfigError(
    `--reasoning-models: no run has the model ${describeUnknownName(unknown, [...distinctModels, noModels])}. Correct the name.`,
    { code: 'unknown-model' },
  )
}

/** Whether a name is that of a model in the records, or its last part. */
const isNamed = (model: string, name: string): boolean => name === model || name === shortenModelName(model)

/**
 * Returns one entry for each attempt, even when its run has several scorings. Each arm uses the scoring that most
 * attempts of all runs have. The entry of an attempt without that scoring has no score.
 */
function removeRepeatedEntries(joined: readonly (readonly Entry[])[]): Entry[] {
  const scored = joined.flat().filter(({ key }) => key.scorer !== 'none')
  const ranked = [...groupBy(scored, ({ key }) => nameScoring(key)).values()].sort(
    (a, b) => b.length - a.length,
  )
  const chosen = new Map(
    [...groupBy(joined.flat(), ({ key }) => armKey(key))].map(([arm, entries]) => {
      const scorings = new Set(entries.map(({ key }) => nameScoring(key)))
      const most = ranked.find(([first]) => scorings.has(nameScoring(first!.key))) ?? entries
      return [arm, most[0]!.key] as const
    }),
  )
  return joined.flatMap(entries =>
    [...groupBy(entries, ({ attempt }) => attempt.attemptId).values()].map(group => {
      const [first] = group as [Entry, ...Entry[]]
      const { scorer, judge } = chosen.get(armKey(first.key))!
      const match = group.find(({ key }) => key.scorer === scorer && key.judge === judge)
      return match ?? { ...first, score: null, key: { ...first.key, scorer, judge } }
    }),
  )
}
