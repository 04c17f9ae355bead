import { reportArms } from './arms.ts'
import { degradationRows } from './degradation.ts'
import { differenceRows } from './differences.ts'
import { joinEntries } from './entries.ts'
import { explainedEntries } from './explained-attempts.ts'
import { facetCorrelations } from './facet-correlations.ts'
import { facetCurves } from './facet-curves.ts'
import { byFacet, defaultFacet } from './facets.ts'
import { findabilityRows } from './findability.ts'
import { reportGroups } from './groups.ts'
import { withHolm } from './holm-rows.ts'
import { judgingTotals } from './judging.ts'
import { scorersOf } from './metrics.ts'
import { pooledTables } from './pooled-layouts.ts'
import { radarTables } from './radar-tables.ts'
import type { Report } from './report.ts'
import { type ReportInput, webOf } from './report-input.ts'
import { distinct, notesOf } from './report-notes.ts'
import { contextCurves, evidenceCurves } from './retrieval-curves.ts'
import { searchServiceRows, timesOf } from './search-services.ts'
import { endRows, firstScoring, terminationRows } from './termination-rows.ts'
import { toolFailureRows } from './tool-failures.ts'
import { trialRows } from './trials.ts'
import { unseenNotes, unseenRows } from './unseen.ts'
import { waterfallRows } from './waterfall.ts'

/** How many attempts the report explains. The page of each attempt has its own explanation. */
const maxExplained = 3

/**
 * Builds the report of one run from its records. The same records always produce the same report.
 *
 * @throws ConfigError [unknown-facet] when no attempt has the facet
 */
export function buildReport(input: ReportInput): Report {
  const { manifest, scores, facet = defaultFacet } = input
  const attempts = byFacet(input.attempts, facet)
  const scorers = scorersOf(input.scorers, scores)
  const entries = joinEntries(attempts, scores, { tainted: input.tainted })
  const arms = reportArms(attempts)
  const groups = reportGroups(entries, scorers, arms)
  const { benchmarks = {} } = input
  const pooled = pooledTables(entries, benchmarks)
  const unseen = unseenRows(entries)
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
      // Some retrievers need no vectors, even when others do.
      embedder: embedders.find(name => name !== 'none') ?? embedders[0] ?? null,
      scorerNames: distinct(scores.map(score => score.scorer)),
      judges: distinct(scores.map(score => score.judge)),
      judging: judgingTotals(scores),
      ...(input.repeated ? { repeated: input.repeated } : {}),
    },
    scorers,
    facet,
    skippedTasks: input.skippedTasks,
    notes: [...notesOf(input, entries), ...unseenNotes(unseen, entries, arms)],
    arms: arms.arms,
    groups,
    terminations: terminationRows(entries, scorers, arms),
    searchServices: searchServiceRows({ groups, scorers, times: timesOf(attempts, input.searchTimes) }),
    toolFailures: toolFailureRows(attempts),
    ends: endRows(firstScoring(entries), scorers, arms),
    differences: withHolm(differenceRows(entries, scorers, arms), scorers),
    trials: trialRows(entries, scorers),
    ...pooled.rows,
    benchmarkTables: pooled.tables,
    radarTables: radarTables(entries, { scorers, benchmarks, arms }),
    facetCurves: facetCurves(entries, benchmarks, scorers),
    correlations: facetCorrelations(entries, benchmarks, scorers),
    waterfall: waterfallRows(entries),
    unseen,
    findability: findabilityRows(entries),
    degradation: degradationRows(entries, scorers),
    curves: [...evidenceCurves(groups), ...contextCurves(groups, scorers), ...(input.curves ?? [])],
    explained: explainedEntries(firstScoring(entries), scorers, maxExplained),
    stability: input.stability ?? [],
  }
}
