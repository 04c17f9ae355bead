import type { TraceEvent } from '../../../logs/events.ts'
import { type Attempt, hasCallsCutOff } from '../../core/attempt.ts'
import { answeredMetric, type MetricDefinition } from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'
import type { ClusteredValue } from '../../score/statistics/clusters.ts'
import { compareArms, groupBy } from './entries.ts'
import { namesInRows } from './first-report.ts'
import { clusteredMean } from './measures.ts'
import { metricsOf, type RunScorers, recordedValue, scorersOf, worstValue } from './metrics.ts'
import type { Curve } from './report-rows.ts'

/** What an attempt had spent at some event. */
export interface Spent {
  readonly tokens: number
  readonly modelCalls: number
  readonly usd: number
  readonly wallMs: number
}
export type SpentKind = keyof Spent

export interface BudgetCurveInput {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  readonly scorers: RunScorers
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
}

/** From this much spent on, the attempt stood at this value. */
interface Sample {
  readonly spent: Spent
  readonly value: number
}

/** What is drawn: the primary metric, whether there is an answer, and how many documents were opened. */
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

/** What had been spent after each event, by the charges that the trace records; time aside that checkpoints took. */
function spentAfter(events: readonly TraceEvent[]): Spent[] {
  const startedAt = Date.parse(events[0]?.at ?? '')
  const totals = { tokens: 0, modelCalls: 0, usd: 0 }
  let asideMs = 0
  return events.map(event => {
    if (event.type === 'checkpoint') asideMs += event.wallMs ?? 0
    if (event.type === 'budget-charged' && event.kind in totals) {
      totals[event.kind as keyof typeof totals] += event.amount
    }
    return { ...totals, wallMs: Math.max(0, Date.parse(event.at) - startedAt - asideMs) }
  })
}

/** Discovery by truncation: the share of hints opened once each step had ended. */
function discoverySamples(
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

/** What the answers at checkpoints were worth, as the score has it, beside what had been spent by then. */
function answerSamples(
  events: readonly TraceEvent[],
  spent: readonly Spent[],
  { checkpoints = [] }: Score,
  primary: MetricDefinition | null,
): AnswerSample[] {
  const places = events.flatMap((event, at) => (event.type === 'checkpoint' ? [at] : []))
  return places.flatMap((at, index) => {
    const { metrics, passed: answered } = checkpoints[index] ?? { passed: null }
    const paid = spent[at]
    if (paid === undefined || answered === null) return []
    return [{ spent: paid, primary: primary === null ? null : (metrics?.[primary.key] ?? null), answered }]
  })
}

async function samplesOf(
  attempt: Attempt,
  final: Score,
  input: BudgetCurveInput,
): Promise<AttemptSamples | null> {
  const events = await input.eventsOf(attempt.attemptId)
  const spent = events === null ? [] : spentAfter(events)
  const last = spent.at(-1)
  if (events === null || last === undefined) return null
  // The trace goes on while the attempt is measured and scored.
  const end = { ...last, wallMs: attempt.usage.wallMs ?? last.wallMs }
  const { primary } = metricsOf(input.scorers, final.profile)
  const finalValue = primary === null ? null : recordedValue(final, primary.key)
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
      answered: answers.map(one => ({ spent: one.spent, value: Number(one.answered) })),
      discovery: discoverySamples(attempt, events, spent),
    },
  }
}

/** From the least to the most that was spent, evenly on a log scale. */
function gridOf(group: readonly AttemptSamples[], name: Measured, kind: SpentKind): number[] {
  const spent = group.flatMap(one => one.samples[name].map(sample => sample.spent[kind])).filter(x => x > 0)
  if (spent.length === 0) return []
  const low = spent.reduce((least, x) => Math.min(least, x))
  const high = spent.reduce((most, x) => Math.max(most, x))
  if (low === high) return [low]
  const ratio = (high / low) ** (1 / (gridPoints - 1))
  const grid = Array.from({ length: gridPoints }, (_, at) =>
    at === gridPoints - 1 ? high : low * ratio ** at,
  )
  // Tokens, calls and milliseconds are whole; of dollars any part is spent.
  return kind === 'usd' ? grid : [...new Set(grid.map(Math.round))]
}

/** What an attempt had reached when it had spent so much; before its first sample the worst value. */
function valueAt(
  samples: readonly Sample[],
  kind: SpentKind,
  x: number,
  worst: number | null,
): number | null {
  let value = worst
  for (const sample of samples) if (sample.spent[kind] <= x) value = sample.value
  return value
}

/** Charges leave out what has no price: dollars are known where the records have them, or would but for calls cut off. */
function knowDollars(attempts: readonly Attempt[]): boolean {
  const isKnown = ({ usage }: Attempt): boolean => usage.usd !== null
  return (
    attempts.some(isKnown) && attempts.every(one => isKnown(one) || hasCallsCutOff(one.termination.detail))
  )
}

function curveOf(group: readonly AttemptSamples[], domain: string, name: Measured, kind: SpentKind): Curve[] {
  const { setting, model, variant } = group[0]!.attempt
  const { profile, judge } = name === 'discovery' ? { profile: null, judge: null } : group[0]!.score
  if (kind === 'usd' && !knowDollars(group.map(one => one.attempt))) return []
  const { primary } = group[0]!
  const isPrimary = name === 'primary'
  const y = isPrimary ? primary?.key : name === 'answered' ? answeredMetric.key : name
  if (y === undefined) return []
  const worst = isPrimary && primary !== null ? worstValue(primary) : 0
  const known = group.filter(one => name !== 'discovery' || one.attempt.discovery !== null)
  const points = gridOf(known, name, kind).flatMap(x => {
    const values = known.flatMap((one): ClusteredValue[] => {
      const value = valueAt(one.samples[name], kind, x, worst)
      return value === null ? [] : [{ cluster: one.attempt.taskId, value }]
    })
    const mean = clusteredMean(values)
    return mean === null ? [] : [{ x, y: mean }]
  })
  if (points.length < 2) return []
  const curve = {
    figure: 'budget',
    setting,
    domain,
    model,
    variant,
    profile,
    judge,
    x: kind,
    points,
  } as const
  return namesInRows(y).map(own => ({ ...curve, y: own }))
}

/**
 * The primary metric, answered and discovery against tokens, calls, dollars and time: from the answers at checkpoints and
 * the final one, discovery from the trace cut at each step. Attempts unscored or without a trace are left out; without checkpoints
 * only discovery is drawn.
 */
export async function budgetCurves(given: BudgetCurveInput): Promise<Curve[]> {
  const input = { ...given, scorers: scorersOf(given.scorers, given.scores) }
  const scoreOf = new Map(input.scores.toReversed().map(score => [score.attemptId, score]))
  const hasCheckpoints = input.scores.some(score => (score.checkpoints ?? []).length > 0)
  const all: AttemptSamples[] = []
  for (const attempt of input.attempts) {
    const score = scoreOf.get(attempt.attemptId)
    if (attempt.setting !== 'online' || score?.status !== 'scored') continue
    if (!hasCheckpoints && attempt.discovery === null) continue
    const samples = await samplesOf(attempt, score, input)
    if (samples !== null) all.push(samples)
  }
  const drawn = measured.filter(name => hasCheckpoints || name === 'discovery')
  const armOf = ({ setting, model, variant }: Attempt) => ({ setting, model, variant })
  const groups = [...groupBy(all, one => JSON.stringify(armOf(one.attempt))).values()].sort((a, b) =>
    compareArms(a[0]!.attempt, b[0]!.attempt),
  )
  return groups.flatMap(group =>
    kinds.flatMap(kind => drawn.flatMap(name => curveOf(group, 'all', name, kind))),
  )
}
