import type { TraceEvent } from '../../../logs/events.ts'
import { listOwnEvents } from '../../../logs/reader.ts'
import { type Arm, isSameArm, settingLabel, withoutOptions } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { ReportGroup } from './report-group.ts'

/** The time that the searches of an attempt took, without the waits before retries, and their number. */
export interface SearchTime {
  readonly ms: number
  readonly calls: number
}

/** What an arm reached with its search service, as means over its attempts. */
export interface SearchServiceRow extends Arm {
  /** The name of the search service. */
  readonly service: string
  /** The arm without its service. */
  readonly label: string
  readonly n: number
  /** Share of the task's documents that were opened. */
  readonly discoveryRecall: number | null
  readonly scorer: string
  /** The key of the scorer's primary metric, and its mean. */
  readonly metric: string | null
  readonly value: number | null
  readonly searchCalls: number | null
  readonly usd: number | null
  readonly usdSearch: number | null
  /** Mean time of a search in milliseconds, without the waits before retries. Null when no trace is available. */
  readonly msPerSearch: number | null
}

/** The service of an arm that names none, in a run with several. */
export const defaultService = 'serper'

/** Returns the search services that runs name, from the options that their results depend on. */
export function listServices(
  manifests: readonly { readonly identity?: Readonly<Record<string, unknown>> }[],
): readonly string[] {
  const named = manifests.flatMap(({ identity }) => identity?.search ?? [])
  return [...new Set(named.filter(name => typeof name === 'string'))]
}

/** Adds up the time and the number of an attempt's own searches, from its trace. */
export function sumSearchTime(events: readonly TraceEvent[]): SearchTime {
  let [ms, calls] = [0, 0]
  for (const event of listOwnEvents(events)) {
    if (event.type === 'budget-charged' && event.kind === 'searchCalls') calls += event.amount
    else if (event.type === 'provider-retried' && event.what.startsWith('search: ')) ms -= event.waitMs
    else if ((event.type === 'tool-answered' || event.type === 'tool-failed') && event.tool === 'web_search')
      ms += event.wallMs
  }
  return { ms: Math.max(0, ms), calls }
}

/** Reads the search times of online attempts by their ids. Attempts without a trace are left out. */
export async function readSearchTimes(
  attempts: readonly Attempt[],
  eventsOf: (attemptId: string) => Promise<readonly TraceEvent[] | null>,
): Promise<Map<string, SearchTime>> {
  const times = new Map<string, SearchTime>()
  for (const { attemptId, setting } of attempts) {
    const events = setting === 'online' ? await eventsOf(attemptId) : null
    if (events !== null) times.set(attemptId, sumSearchTime(events))
  }
  return times
}

/** What the rows by search service are computed from. */
interface SearchServiceInput {
  readonly groups: readonly ReportGroup[]
  readonly scorers: RunScorers
  /** The search times of attempts. Empty without traces. */
  readonly times: readonly (Arm & SearchTime)[]
}

/** Returns the search times of these attempts, each with its arm. */
export function listArmSearchTimes(
  attempts: readonly Attempt[],
  times: ReadonlyMap<string, SearchTime> = new Map(),
): (Arm & SearchTime)[] {
  return attempts.flatMap(({ attemptId, setting, model, options }) => {
    const time = times.get(attemptId)
    return time === undefined ? [] : [{ setting, model, options, ...time }]
  })
}

/** Returns a row for each online arm, in its first scoring. Empty when all attempts searched with the same service. */
export function searchServiceRows({ groups, scorers, times }: SearchServiceInput): SearchServiceRow[] {
  const online = groups.filter(group => group.domain === 'all' && group.setting === 'online')
  if (!online.some(group => 'search' in group.options)) return []
  const first = online.filter(group => online.find(candidate => isSameArm(candidate, group)) === group)
  return first.map(group => {
    const { setting, model, options } = group
    const metric = listScoringMetrics(scorers, group.scorer).primary
    return {
      setting,
      model,
      options,
      scorer: group.scorer,
      service: options.search ?? defaultService,
      label: settingLabel({ setting, options: withoutOptions(options, ['search']) }),
      n: group.n,
      discoveryRecall: group.discoveryRecall,
      metric: metric?.key ?? null,
      value: metric === null ? null : (group.metrics[metric.key]?.mean ?? null),
      searchCalls: group.searchCalls,
      usd: group.usd,
      usdSearch: group.efficiency.usdSearch,
      msPerSearch: meanMs(times.filter(time => isSameArm(time, group))),
    }
  })
}

function meanMs(times: readonly SearchTime[]): number | null {
  const calls = times.reduce((sum, time) => sum + time.calls, 0)
  return calls === 0 ? null : times.reduce((sum, time) => sum + time.ms, 0) / calls
}
