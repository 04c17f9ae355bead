import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { findArm, type ReportArms, reportArms } from './arms.ts'
import { benchmarkTables, type RunBenchmarks } from './benchmark-tables.ts'
import { causalWaterfall } from './causal-waterfall.ts'
import { commonGroups, commonWaterfall, unequalTasksNotes } from './common-tasks.ts'
import { degradationRows } from './degradation.ts'
import { baselineDifferences, correctDifferences, differenceRows, modelDifferences } from './differences.ts'
import { type Entry, joinEntries } from './entries.ts'
import { selectExplained } from './explained-attempts.ts'
import { facetCorrelations, facetCurves } from './facet-curves.ts'
import { byFacet, defaultFacet } from './facets.ts'
import { reportGroups } from './groups.ts'
import { type JudgeMark, judgeAgreements } from './judge-agreement.ts'
import { judgingTotals } from './judging.ts'
import { completeScorers, type RunScorers } from './metrics.ts'
import { pooledDifferences } from './pooled-differences.ts'
import { radarTables } from './radar-tables.ts'
import type { Report } from './report.ts'
import { type ReportInput, type ReportManifest, webOption } from './report-input.ts'
import { makeNotes, sortUnique } from './report-notes.ts'
import type { Curve, StabilityRow } from './report-rows.ts'
import { contextCurves, evidenceCurves } from './retrieval-curves.ts'
import { armSearchTimes, type SearchTime, searchServiceRows } from './search-services.ts'
import { endRows, firstScoring, terminationRows, toolFailureRows } from './termination-rows.ts'
import { trialRows } from './trials.ts'
import { findabilityRows, unseenNotes, unseenRows } from './unseen.ts'
import { waterfallRows } from './waterfall.ts'

/** How many attempts the report explains. The page of each attempt has its own explanation. */
const maxExplained = 3

/**
 * Builds the report of one run from its records. The same records always produce the same report.
 *
 * @throws ConfigError [unknown-facet] when no attempt has the facet, [unknown-arm] when no arm is the baseline
 */
export function buildReport(input: ReportInput): Report {
  const { manifest, scores, facet = defaultFacet, benchmarks = {} } = input
  const attempts = byFacet(input.attempts, facet)
  const entries = joinEntries(attempts, scores, { tainted: input.tainted, limits: input.limits })
  const arms = reportArms(attempts)
  const figures = reportFigures({
    ...{ entries, endEntries: firstScoring(entries), attempts, arms, facet, benchmarks },
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
      ...unequalTasksNotes(entries, figures.scorers),
      ...makeNotes(input, entries),
      ...unseenNotes(figures.unseen, entries, arms),
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
    web: online ? webOption(manifest) : null,
    // Some retrievers need no vectors, even when others do.
    embedder: embedders.find(name => name !== 'none') ?? embedders[0] ?? null,
    scorerNames: sortUnique(scores.map(score => score.scorer)),
    judges: sortUnique(scores.map(score => score.judge)),
    judging: judgingTotals(scores),
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
  const tested = [...differenceRows(entries, scorers, arms), ...modelDifferences(entries, scorers, arms)]
  return {
    scorers,
    facet,
    arms: arms.arms,
    groups,
    common: commonGroups(entries, scorers, arms),
    terminations: terminationRows(entries, scorers, arms),
    searchServices: searchServiceRows({
      groups,
      scorers,
      times: armSearchTimes(attempts, source.searchTimes),
    }),
    toolFailures: toolFailureRows(attempts),
    ends: endRows(endEntries, scorers, arms),
    differences: correctDifferences(tested, scorers),
    baselineDifferences: baselineDifferences(entries, { scorers, arms, baseline }),
    pooledDifferences: pooledDifferences(entries, scorers),
    trials: trialRows(entries, scorers),
    benchmarkTables: benchmarkTables(entries, benchmarks, { kind: 'reportTables' }),
    radarTables: radarTables(entries, { scorers, benchmarks, arms }),
    facetCurves: facetCurves(entries, benchmarks, scorers),
    correlations: facetCorrelations(entries, benchmarks, scorers),
    waterfall: [...commonWaterfall(entries, scorers), ...waterfallRows(entries)],
    causes: causalWaterfall(endEntries, source.lost ?? null),
    unseen: unseenRows(entries),
    findability: findabilityRows(entries),
    degradation: degradationRows(entries, scorers),
    curves: [...evidenceCurves(groups), ...contextCurves(groups, scorers), ...(source.curves ?? [])],
    explained: selectExplained(firstScoring(entries), scorers, maxExplained),
    judgeAgreements: judgeAgreements(entries, source.marks ?? []),
    stability: source.stability ?? [],
  }
}
