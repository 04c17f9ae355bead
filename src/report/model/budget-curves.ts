import type { TraceEvent } from '../../../logs/events.ts'
import { armKey } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { answeredMetric, type MetricDefinition } from '../../core/metric.ts'
import { elapsedTimes } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import { mapFirstScores } from '../../core/score-items.ts'
import { hasCallsCutOff } from '../../core/termination.ts'
import type { ClusteredValue } from '../../score/statistics/clusters.ts'
import { compareArms } from './entries.ts'
import { averageClusters } from './measures.ts'
import {
  completeScorers,
  findWorstValue,
  listScoringMetrics,
  type RunScorers,
  readRecordedValue,
} from './metrics.ts'
import type { Curve } from './report-rows.ts'

/** What an attempt had spent up to one event of its trace. */
interface Spent {
  readonly tokens: number
  readonly modelCalls: number
  readonly usd: number
  readonly wallMs: number
}
/** A resource that budget curves have on their horizontal axis. */
type SpentKind = keyof Spent

/** The records and traces from which budget curves are computed. */
interface BudgetCurveInput {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  readonly scorers: RunScorers
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
}

/** The value that the attempt reached when it had spent this much. It holds until the next sample. */
interface Sample {
  readonly spent: Spent
  readonly value: number
}

/** The measures that have a curve: the primary metric, the share of answers, and the share of documents opened. */
type Measured = 'primary' | 'answered' | 'discovery'

interface AttemptSamples {
  readonly attempt: Attempt
  readonly score: Score
  readonly primary: MetricDefinition | null
  readonly samples: Readonly<Record<Measured, readonly Sample[]>>
}

const kinds: readonly SpentKind[] = ['tokens', 'modelCalls', 'usd', 'wallMs']
const measured: readonly Measured[] = ['primary', 'answered', 'discovery']
const gridPoints = 24

/** Returns what had been spent after each event, from the charges in the trace. The time of checkpoints does not count. */
function listSpending(events: readonly TraceEvent[]): Spent[] {
  const elapsed = elapsedTimes(events.map(event => event.at))
  const totals = { tokens: 0, modelCalls: 0, usd: 0 }
  let asideMs = 0
  return events.map((event, index) => {
    if (event.type === 'checkpoint') asideMs += event.wallMs ?? 0
    if (event.type === 'budget-charged' && event.kind in totals) {
      totals[event.kind as keyof typeof totals] += event.amount
    }
    return { ...totals, wallMs: Math.max(0, elapsed[index]! - asideMs) }
  })
}

/** Samples discovery: the share of the task's documents that had been opened after each step. */
function listDiscoverySamples(
  attempt: Attempt,
  events: readonly TraceEvent[],
  spent: readonly Spent[],
): Sample[] {
  const hints = attempt.discovery?.hints ?? []
  const steps = [...new Set(hints.flatMap(hint => hint.openedStep ?? []))].sort((a, b) => a - b)
  return steps.flatMap(step => {
    const last = events.findLastIndex(event => event.step === step && event.type === 'tool-answered')
    const at = spent[last]
    const opened = hints.filter(hint => hint.openedStep !== null && hint.openedStep <= step).length
    return at === undefined ? [] : [{ spent: at, value: opened / hints.length }]
  })
}

interface AnswerSample {
  readonly spent: Spent
  readonly primary: number | null
  readonly answered: boolean
}

/** Pairs the scores of the answers at checkpoints with what had been spent by then. */
function answerSamples(
  events: readonly TraceEvent[],
  spent: readonly Spent[],
  { checkpoints = [] }: Score,
  primary: MetricDefinition | null,
): AnswerSample[] {
  const places = events.flatMap((event, at) => (event.type === 'checkpoint' ? [at] : []))
  return places.flatMap((at, index) => {
    const { metrics, answered = null } = checkpoints[index] ?? {}
    const paid = spent[at]
    if (paid === undefined || answered === null) return []
    return [{ spent: paid, primary: primary === null ? null : (metrics?.[primary.key] ?? null), answered }]
  })
}

async function readSamples(
  attempt: Attempt,
  final: Score,
  input: BudgetCurveInput,
): Promise<AttemptSamples | null> {
  const events = await input.eventsOf(attempt.attemptId)
  const spent = events === null ? [] : listSpending(events)
  const last = spent.at(-1)
  if (events === null || last === undefined) return null
  // The trace continues while the attempt is measured and scored, so its last event is too late.
  const end = { ...last, wallMs: attempt.usage.wallMs ?? last.wallMs }
  const { primary } = listScoringMetrics(input.scorers, final.scorer)
  const finalValue = primary === null ? null : readRecordedValue(final, primary.key)
  const answers = [
    ...answerSamples(events, spent, final, primary),
    { spent: end, primary: finalValue, answered: final.answered },
  ]
  return {
    attempt,
    score: final,
    primary,
    samples: {
      primary: answers.flatMap(({ spent: paid, primary: value }) =>
        value === null ? [] : [{ spent: paid, value }],
      ),
      answered: answers.map(answer => ({ spent: answer.spent, value: Number(answer.answered) })),
      discovery: listDiscoverySamples(attempt, events, spent),
    },
  }
}

/** Spaces the points of a curve evenly on a log scale, from the least to the most that was spent. */
function listCurveGrid(group: readonly AttemptSamples[], name: Measured, kind: SpentKind): number[] {
  const spent = group
    .flatMap(entry => entry.samples[name].map(sample => sample.spent[kind]))
    .filter(x => x > 0)
  if (spent.length === 0) return []
  const low = spent.reduce((least, x) => Math.min(least, x))
  const high = spent.reduce((most, x) => Math.max(most, x))
  if (low === high) return [low]
  const ratio = (high / low) ** (1 / (gridPoints - 1))
  const grid = Array.from({ length: gridPoints }, (_, at) =>
    at === gridPoints - 1 ? high : low * ratio ** at,
  )
  // Tokens, calls and milliseconds are whole numbers. Dollars may be fractions.
  return kind === 'usd' ? grid : [...new Set(grid.map(Math.round))]
}

/** Returns the value that an attempt had reached after spending `x`: the worst value before its first sample. */
function readValueAt(
  samples: readonly Sample[],
  kind: SpentKind,
  x: number,
  worst: number | null,
): number | null {
  let value = worst
  for (const sample of samples) if (sample.spent[kind] <= x) value = sample.value
  return value
}

/**
 * Whether the dollars spent are known. Traces leave out charges without a price, so the records decide. A record also lacks
 * its total when the end of the attempt interrupted a call; such attempts do not count against the others.
 */
function knowDollars(attempts: readonly Attempt[]): boolean {
  const isKnown = ({ usage }: Attempt): boolean => usage.usd !== null
  return (
    attempts.some(isKnown) &&
    attempts.every(attempt => isKnown(attempt) || hasCallsCutOff(attempt.termination.detail))
  )
}

function makeCurve(
  group: readonly AttemptSamples[],
  domain: string,
  name: Measured,
  kind: SpentKind,
): Curve[] {
  const { setting, model, options } = group[0]!.attempt
  const { scorer, judge } = name === 'discovery' ? { scorer: null, judge: null } : group[0]!.score
  if (kind === 'usd' && !knowDollars(group.map(entry => entry.attempt))) return []
  const { primary } = group[0]!
  const isPrimary = name === 'primary'
  const y = isPrimary ? primary?.key : name === 'answered' ? answeredMetric.key : name
  if (y === undefined) return []
  const worst = isPrimary && primary !== null ? findWorstValue(primary) : 0
  const members = group.filter(entry => name !== 'discovery' || entry.attempt.discovery !== null)
  const points = listCurveGrid(members, name, kind).flatMap(x => {
    const values = members.flatMap((entry): ClusteredValue[] => {
      const value = readValueAt(entry.samples[name], kind, x, worst)
      return value === null ? [] : [{ cluster: entry.attempt.taskId, value }]
    })
    const mean = averageClusters(values)
    return mean === null ? [] : [{ x, y: mean }]
  })
  if (points.length < 2) return []
  const curve = {
    figure: 'budget',
    setting,
    domain,
    model,
    options,
    scorer,
    judge,
    x: kind,
    points,
  } as const
  return [{ ...curve, y }]
}

/**
 * Computes curves of the primary metric, `answered` and discovery against tokens, calls, dollars and time. The first two
 * come from the answers at checkpoints and the final answer, discovery from the trace. Only scored online attempts with a
 * trace count. Without checkpoints there are curves of discovery only.
 */
export async function makeBudgetCurves(options: BudgetCurveInput): Promise<Curve[]> {
  const input = { ...options, scorers: completeScorers(options.scorers, options.scores) }
  const scoreOf = mapFirstScores(input.scores)
  const hasCheckpoints = input.scores.some(score => (score.checkpoints ?? []).length > 0)
  const allSamples: AttemptSamples[] = []
  for (const attempt of input.attempts) {
    const score = scoreOf.get(attempt.attemptId)
    if (attempt.setting !== 'online' || score?.status !== 'scored') continue
    if (!hasCheckpoints && attempt.discovery === null) continue
    const samples = await readSamples(attempt, score, input)
    if (samples !== null) allSamples.push(samples)
  }
  const drawn = measured.filter(name => hasCheckpoints || name === 'discovery')
  const groups = [...groupBy(allSamples, entry => armKey(entry.attempt)).values()].sort((a, b) =>
    compareArms(a[0]!.attempt, b[0]!.attempt),
  )
  return groups.flatMap(group =>
    kinds.flatMap(kind => drawn.flatMap(name => makeCurve(group, 'all', name, kind))),
  )
}
