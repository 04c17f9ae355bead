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
import { defaultFacet, groupByFacet, taskTypeFacet } from '../model/facets.ts'
import { reportGroups } from '../model/groups.ts'
import { completeScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { type ReportManifest, readWebOption } from '../model/report-input.ts'
import { sortUnique } from '../model/report-notes.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import type { PaperTable } from './paper-table.ts'
import { makePaperTables, withFacet } from './paper-tables.ts'
import { type ComparedRun, runNotes } from './run-notes.ts'
import { type SeparatingOptions, separateByOptions } from './run-options.ts'

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

/** Returns the kind of web of a run: live, sealed or replay. Drops the part after the colon. */
function nameWebKind(run: ComparedRun): string | null {
  return readWebOption(run.manifest)?.split(':')[0] ?? null
}

interface MixedJudges {
  readonly judges: readonly string[]
  /** The distinct sets of judges of the runs, each joined to one text. */
  readonly sets: readonly string[]
}

/** Returns the scorers for which the runs have different judges. */
function findMixedJudges(runs: readonly ComparedRun[]): ReadonlyMap<string, MixedJudges> {
  const scores = runs.map(run => run.scores)
  const scorerNames = sortUnique(scores.flat().map(score => score.scorer))
  return new Map(
    scorerNames.flatMap(scorer => {
      const byRun = scores.map(run => run.flatMap(score => (score.scorer === scorer ? score.judge : [])))
      const sets = sortUnique(
        byRun.filter(judges => judges.length > 0).map(judges => sortUnique(judges).join(' and ')),
      )
      return sets.length > 1 ? [[scorer, { judges: sortUnique(byRun.flat()), sets }] as const] : []
    }),
  )
}

function withPooledJudges(entries: readonly Entry[], mixed: ReadonlyMap<string, MixedJudges>): Entry[] {
  return entries.map(entry => {
    const judges = mixed.get(entry.key.scorer)?.judges
    if (judges === undefined) return entry
    return { ...entry, key: { ...entry.key, judge: `mixed: ${judges.join(', ')}` } }
  })
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

/** How the records of runs are pooled. */
interface PoolingOptions {
  /** The options of runs. Absent: every option separates attempts. */
  readonly options?: SeparatingOptions
  /** The facet by which attempts are grouped; the default is the domain. */
  readonly facet?: string
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

/** The records of several runs as those of one. The id of each attempt begins with the name of its run and `/`. */
interface PooledRuns {
  /** The runs with the options in which they differ in those of their attempts, and with ids that are unique among all. */
  readonly runs: readonly Required<
    Pick<ComparedRun, 'manifest' | 'attempts' | 'scores' | 'limits' | 'marks' | 'tainted'>
  >[]
  /** The same with the ids of each run. */
  readonly separated: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/** Pools the records of runs by a facet, with the options in which they differ. Runs without a name have a number. */
export function poolRuns(
  runs: readonly ComparedRun[],
  { facet = defaultFacet, options = {} }: PoolingOptions,
): PooledRuns {
  const attempts = groupByFacet(
    runs.flatMap(run => run.attempts),
    facet,
  )
  let next = 0
  const grouped = runs.map(run => {
    const from = next
    next += run.attempts.length
    return { ...run, attempts: attempts.slice(from, next) }
  })
  const { runs: separated, notes } = separateByOptions(grouped, options)
  const pooled = separated.map(
    ({ name, manifest, attempts, scores, limits = [], marks = [], tainted = new Set() }, at) => {
      const run = name ?? String(at + 1)
      const withPooledId = <Rec extends { readonly attemptId: string }>(record: Rec): Rec => ({
        ...record,
        attemptId: namePooledRun(run, record.attemptId),
      })
      return {
        manifest,
        attempts: attempts.map(withPooledId),
        scores: scores.map(withPooledId),
        limits,
        marks: marks.map(withPooledId),
        tainted: new Set([...tainted].map(id => namePooledRun(run, id))),
      }
    },
  )
  return { runs: pooled, separated, notes }
}

/** Returns the records of all runs as those of one. */
export function poolRecords(
  runs: readonly ComparedRun[],
  options: PoolingOptions = {},
): Required<Pick<ComparedRun, 'attempts' | 'scores' | 'tainted'>> & { readonly manifest: ReportManifest } {
  const pooled = poolRuns(runs, options).runs
  return {
    manifest: poolManifests(runs),
    attempts: pooled.flatMap(run => run.attempts),
    scores: pooled.flatMap(run => run.scores),
    tainted: new Set(pooled.flatMap(run => [...run.tainted])),
  }
}

/** Returns the id of an attempt among those of several runs. */
export function namePooledRun(run: string, attemptId: string): string {
  return `${run}/${attemptId}`
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
    searchTimes: new Map(compared.flatMap((run, at) => poolTimes(run, at))),
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

function poolTimes({ name, searchTimes = new Map() }: ComparedRun, at: number) {
  return [...searchTimes].map(([id, time]) => [namePooledRun(name ?? String(at + 1), id), time] as const)
}

/** Describes the runs as one. */
function poolManifests(runs: readonly ComparedRun[]) {
  const times = (name: 'startedAt' | 'endedAt'): string[] =>
    runs.flatMap(({ manifest }) => manifest[name] ?? []).sort()
  return {
    runId: runs.map(({ manifest }) => manifest.runId).join(', '),
    startedAt: times('startedAt')[0] ?? null,
    endedAt: times('endedAt').at(-1) ?? null,
    config: {},
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

/** Returns the kinds of web that the online attempts of these runs used. */
function listOnlineWebs(runs: readonly ComparedRun[]): string[] {
  const online = runs.filter(run => run.attempts.some(attempt => attempt.setting === 'online'))
  return sortUnique(online.flatMap(run => nameWebKind(run) ?? []))
}

/** Reports different webs, judges and scorers of the compared runs. */
function listMixtureNotes(
  runs: readonly ComparedRun[],
  webs: readonly string[],
  mixed: ReadonlyMap<string, MixedJudges>,
): string[] {
  const scores = runs.flatMap(run => run.scores)
  const judges = sortUnique(scores.map(score => score.judge))
  const scorerNames = sortUnique(scores.map(score => score.scorer))
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
