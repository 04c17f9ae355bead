import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { findArm, type ReportArms, reportArms } from './arms.ts'
import { makeBenchmarkTables, type RunBenchmarks } from './benchmark-tables.ts'
import { makeCausalWaterfall } from './causal-waterfall.ts'
import { groupCommonTasks, listCommonWaterfall, listUnequalTasksNotes } from './common-tasks.ts'
import { listDegradationRows } from './degradation.ts'
import {
  correctDifferences,
  listBaselineDifferences,
  listDifferenceRows,
  listModelDifferences,
} from './differences.ts'
import { type Entry, joinEntries } from './entries.ts'
import { selectExplained } from './explained-attempts.ts'
import { listFacetCorrelations, makeFacetCurves } from './facet-curves.ts'
import { defaultFacet, groupByFacet } from './facets.ts'
import { reportGroups } from './groups.ts'
import { type JudgeMark, judgeAgreements } from './judge-agreement.ts'
import { sumJudging } from './judging.ts'
import { completeScorers, type RunScorers } from './metrics.ts'
import { poolDifferences } from './pooled-differences.ts'
import { makeRadarTables } from './radar-tables.ts'
import type { Report } from './report.ts'
import { type ReportInput, type ReportManifest, readWebOption } from './report-input.ts'
import { makeNotes, sortUnique } from './report-notes.ts'
import type { Curve, StabilityRow } from './report-rows.ts'
import { makeContextCurves, makeEvidenceCurves } from './retrieval-curves.ts'
import { listArmSearchTimes, type SearchTime, searchServiceRows } from './search-services.ts'
import { endRows, filterFirstScoring, listTerminationRows, listToolFailureRows } from './termination-rows.ts'
import { listTrialRows } from './trials.ts'
import { listFindabilityRows, listUnseenNotes, listUnseenRows } from './unseen.ts'
import { listWaterfallRows } from './waterfall.ts'

/** How many attempts the report explains. The page of each attempt has its own explanation. */
const maxExplained = 3

/**
 * Builds the report of one run from its records. The same records always produce the same report.
 *
 * @throws ConfigError [unknown-facet] when no attempt has the facet, [unknown-arm] when no arm is the baseline
 */
export function buildReport(input: ReportInput): Report {
  const { manifest, scores, facet = defaultFacet, benchmarks = {} } = input
  const attempts = groupByFacet(input.attempts, facet)
  const entries = joinEntries(attempts, scores, { tainted: input.tainted, limits: input.limits })
  const arms = reportArms(attempts)
  const figures = reportFigures({
    ...{ entries, endEntries: filterFirstScoring(entries), attempts, arms, facet, benchmarks },
    scorers: completeScorers(input.scorers, scores),
    searchTimes: input.searchTimes,
    lost: input.lost,
    ...{ curves: input.curves, stability: input.stability, marks: input.marks, baseline: input.baseline },
  })
  return {
    run: {
      ...runSummary(manifest, attempts, scores),
      ...(input.repeated ? { repeated: input.repeated } : {}),
    },
    skippedTasks: input.skippedTasks,
    notes: [
      ...listUnequalTasksNotes(entries, figures.scorers),
      ...makeNotes(input, entries),
      ...listUnseenNotes(figures.unseen, entries, arms),
    ],
    ...figures,
  }
}

/** Says what was run, and what judging cost. */
export function runSummary(
  manifest: ReportManifest,
  attempts: readonly Attempt[],
  scores: readonly Score[],
): Report['run'] {
  const { runId, startedAt, endedAt, planned = null } = manifest
  const online = attempts.some(attempt => attempt.setting === 'online')
  const embedders = attempts.flatMap(attempt => attempt.retrieval?.embedder ?? [])
  return {
    ...{ runId, startedAt, endedAt, planned, attempts: attempts.length },
    web: online ? readWebOption(manifest) : null,
    // Some retrievers need no vectors, even when others do.
    embedder: embedders.find(name => name !== 'none') ?? embedders[0] ?? null,
    scorerNames: sortUnique(scores.map(score => score.scorer)),
    judges: sortUnique(scores.map(score => score.judge)),
    judging: sumJudging(scores),
  }
}

/** What the figures of a report are computed from: attempts of one run or of several, with their scores. */
interface FigureSource {
  readonly entries: readonly Entry[]
  /** One entry for each attempt, for what does not depend on the scoring. */
  readonly endEntries: readonly Entry[]
  readonly attempts: readonly Attempt[]
  readonly arms: ReportArms
  readonly scorers: RunScorers
  readonly benchmarks: RunBenchmarks
  readonly facet: string
  readonly searchTimes?: ReadonlyMap<string, SearchTime> | undefined
  readonly curves?: readonly Curve[] | undefined
  readonly stability?: readonly StabilityRow[] | undefined
  readonly marks?: readonly JudgeMark[] | undefined
  readonly lost?: Readonly<Record<string, number>> | undefined
  /** The arm with which all others are compared. Absent: the first one with a score. */
  readonly baseline?: string | undefined
}

/** Computes the figures that a report of one run and a comparison of several have in common. */
export function reportFigures(source: FigureSource): Omit<Report, 'run' | 'skippedTasks' | 'notes'> {
  const { entries, endEntries, attempts, arms, scorers, benchmarks, facet } = source
  const groups = reportGroups(entries, scorers, arms)
  const baseline = source.baseline === undefined ? null : findArm(arms.arms, source.baseline).id
  const tested = [
    ...listDifferenceRows(entries, scorers, arms),
    ...listModelDifferences(entries, scorers, arms),
  ]
  return {
    scorers,
    facet,
    arms: arms.arms,
    groups,
    common: groupCommonTasks(entries, scorers, arms),
    terminations: listTerminationRows(entries, scorers, arms),
    searchServices: searchServiceRows({
      groups,
      scorers,
      times: listArmSearchTimes(attempts, source.searchTimes),
    }),
    toolFailures: listToolFailureRows(attempts),
    ends: endRows(endEntries, scorers, arms),
    differences: correctDifferences(tested, scorers),
    baselineDifferences: listBaselineDifferences(entries, { scorers, arms, baseline }),
    pooledDifferences: poolDifferences(entries, scorers),
    trials: listTrialRows(entries, scorers),
    benchmarkTables: makeBenchmarkTables(entries, benchmarks, { kind: 'reportTables' }),
    radarTables: makeRadarTables(entries, { scorers, benchmarks, arms }),
    facetCurves: makeFacetCurves(entries, benchmarks, scorers),
    correlations: listFacetCorrelations(entries, benchmarks, scorers),
    waterfall: [...listCommonWaterfall(entries, scorers), ...listWaterfallRows(entries)],
    causes: makeCausalWaterfall(endEntries, source.lost ?? null),
    unseen: listUnseenRows(entries),
    findability: listFindabilityRows(entries),
    degradation: listDegradationRows(entries, scorers),
    curves: [...makeEvidenceCurves(groups), ...makeContextCurves(groups, scorers), ...(source.curves ?? [])],
    explained: selectExplained(filterFirstScoring(entries), scorers, maxExplained),
    judgeAgreements: judgeAgreements(entries, source.marks ?? []),
    stability: source.stability ?? [],
  }
}
