import type { CallUsage } from '../event-parts.ts'
import { type AtifMetrics, type AtifTrajectory, extraNames } from './atif-log.ts'
import type { Segments } from './atif-segments.ts'
import { readCallUsage, sumKnown } from './call-usage.ts'
import type { ForeignAttempt } from './foreign-log.ts'

/** Reads the usage of one step; null when the step reports none. */
export function readMetrics(metrics: AtifMetrics | null | undefined): CallUsage | null {
  if (metrics === null || metrics === undefined) return null
  const usage = readCallUsage({ ...metrics.extra, ...metrics })
  const isUncertain = metrics.extra?.[extraNames.uncertain] === true
  return usage === null || !isUncertain ? usage : { ...usage, uncertain: true }
}

/** The sums of a trajectory in the names of a usage. */
interface Totals {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  readonly reasoningTokens: number | null
  readonly usd: number | null
}

function combineTotals(
  totals: readonly Totals[],
  combine: (values: readonly (number | null)[]) => number | null,
): Totals {
  const combineField = (name: keyof Totals): number | null => combine(totals.map(total => total[name]))
  return {
    inputTokens: combineField('inputTokens'),
    cachedInputTokens: combineField('cachedInputTokens'),
    outputTokens: combineField('outputTokens'),
    reasoningTokens: combineField('reasoningTokens'),
    usd: combineField('usd'),
  }
}

function maxKnown(values: readonly (number | null)[]): number | null {
  const reported = values.filter(value => value !== null)
  return reported.length === 0 ? null : Math.max(...reported)
}

/** Returns the totals that a trajectory reports. Some agents include helpers and earlier files, and others do not. */
function reportedTotals({ final_metrics: metrics }: AtifTrajectory): Totals {
  const reasoning = metrics?.extra?.total_reasoning_tokens ?? metrics?.extra?.[extraNames.reasoningTokens]
  return {
    inputTokens: metrics?.total_prompt_tokens ?? null,
    cachedInputTokens: metrics?.total_cached_tokens ?? null,
    outputTokens: metrics?.total_completion_tokens ?? null,
    reasoningTokens: typeof reasoning === 'number' ? reasoning : null,
    usd: metrics?.total_cost_usd ?? null,
  }
}

/** Returns the sums over the own steps of a trajectory; what it reports when none of them has a usage. */
function ownTotals(trajectory: AtifTrajectory): Totals {
  const steps = trajectory.steps.flatMap(({ metrics, is_copied_context: isCopy }) => {
    const usage = isCopy === true ? null : readMetrics(metrics)
    return usage === null ? [] : [{ ...usage, usd: metrics?.cost_usd ?? null }]
  })
  return steps.length === 0 ? reportedTotals(trajectory) : combineTotals(steps, sumKnown)
}

/**
 * Sums the usage of an attempt. The last file reports either its own totals or those of the whole attempt with all helpers,
 * so the larger of these and of the sum over all trajectories holds.
 */
export function readUsage({ main, helpers }: Segments): ForeignAttempt['usage'] {
  const trajectories = new Set([...main, ...helpers.values()].map(({ trajectory }) => trajectory))
  const sum = combineTotals([...trajectories].map(ownTotals), sumKnown)
  const last = reportedTotals(main.at(-1)!.trajectory)
  const totals = combineTotals([sum, last], maxKnown)
  const steps = [...trajectories].flatMap(trajectory => trajectory.steps)
  const calls = steps.filter(step => step.source === 'agent' && step.is_copied_context !== true)
  return {
    ...totals,
    usdModel: totals.usd,
    modelCalls: calls.reduce((total, { llm_call_count: count }) => total + (count ?? 1), 0),
    ...(steps.some(({ metrics }) => readMetrics(metrics)?.uncertain === true) && {
      uncertain: true as const,
    }),
  }
}
