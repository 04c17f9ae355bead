import type { TraceEvent } from '../../../logs/events.ts'
import { type ArmOptions, isSameArm } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { findMedian } from '../../core/median.ts'
import type { Score } from '../../core/score.ts'
import { listArms, type ReportArms } from '../model/arms.ts'
import {
  compareText,
  type Entry,
  groupByDomain,
  groupByKey,
  isScored,
  joinEntries,
} from '../model/entries.ts'
import { countBilledTokens } from '../model/groups.ts'
import {
  completeScorers,
  findWorstValue,
  listScoringMetrics,
  type RunScorers,
  readRecordedValue,
} from '../model/metrics.ts'
import type { EndCounts, EndRow } from '../model/report-rows.ts'
import { countEnds, endRows, filterFirstScoring, hasEnd, hasFailed } from '../model/termination-rows.ts'
import { findLastActions, findLoops, type Loop } from './trace-habits.ts'

/** Why the attempts of an arm and domain ended. */
interface TerminationReasonRow extends EndCounts {
  /** The id of the arm. */
  readonly arm: string
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  /** A domain, or `all`. */
  readonly domain: string
  /** The median step of the last successful model turn. */
  readonly medianLastStep: number
}

/** How many attempts of an arm and reason had their last successful model turn at this step. 0: no turn succeeded. */
interface EndStepRow {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly cause: string
  readonly reason: string
  readonly step: number
  readonly n: number
  readonly passed: number
}

/** What failed attempts of an arm and reason reported about their end, such as the error of a crashed agent. */
interface EndDetailRow {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly cause: string
  readonly reason: string
  readonly detail: string
  readonly n: number
}

/** What the attempts of one arm and outcome did in their last ten steps. */
interface LastStepRow {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
  readonly outcome: 'passed' | 'failed'
  readonly action: string
  readonly n: number
  /** As a share of all actions of that arm and outcome. */
  readonly share: number
}

/** The failures of some attempts: how many ended by a budget or with an unreadable answer, and what they cost. */
interface FailureSummary {
  readonly attempts: number
  readonly failures: number
  /** The share of failures whose cause is a budget. Null without failures. */
  readonly resourceShareOfFailures: number | null
  readonly answeredButWrong: {
    /** Failures that the agent itself ended with an answer. */
    readonly n: number
    readonly shareOfFailures: number | null
    /**
     * Attempts with a readable answer and the worst possible primary metric, such as a Cell F1 of 0.
     */
    readonly passedWithoutCorrectCell: number
  }
  readonly costOfFailures: {
    readonly tokens: number | null
    readonly shareOfTokens: number | null
    readonly usd: number | null
    readonly shareOfUsd: number | null
    readonly wallMs: number | null
    readonly shareOfWallMs: number | null
  }
}

/** The failures of one arm. */
export interface ArmFailures extends FailureSummary {
  /** The id of the arm. */
  readonly arm: string
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
}

/** The analysis of a run's terminations, as `logs termination RUN --json` prints it. */
export interface TerminationReport extends FailureSummary {
  readonly run: string
  /** The metrics of the run's scorers. */
  readonly scorers: RunScorers
  readonly reasons: readonly TerminationReasonRow[]
  /** The reasons of each arm, over all domains. */
  readonly ends: readonly EndRow[]
  /** The reasons of each arm, by the step at which the attempts ended. */
  readonly steps: readonly EndStepRow[]
  /** Tasks, or records of an imported log, that could not be read. They have no attempts. */
  readonly skippedTasks: number
  /** The failures of each arm. The fields of the report itself are over all arms. */
  readonly arms: readonly ArmFailures[]
  /** The details of failed attempts, the most frequent of each arm first. */
  readonly details: readonly EndDetailRow[]
  readonly lastSteps: readonly LastStepRow[]
  readonly loops: readonly Loop[]
}

/** The records and traces that `analyseTerminations` reads. */
interface TerminationInput {
  readonly runId: string
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  readonly scorers: RunScorers
  readonly skippedTasks: number
  /** Returns the trace of an attempt, or null when it has none. */
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
}

function divideOrNull(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Adds up a value of all entries. Returns null when the value of any entry is unknown. */
function sumOrNull(entries: readonly Entry[], readValue: (entry: Entry) => number | null): number | null {
  let sum = 0
  for (const entry of entries) {
    const value = readValue(entry)
    if (value === null) return null
    sum += value
  }
  return sum
}

function listReasonRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TerminationReasonRow[] {
  return groupByKey(entries).flatMap(({ key, entries: armEntries }) => {
    const { setting, model, options } = key
    const names = { arm: arms.idOf(key), setting, model, options }
    return [...groupByDomain(armEntries), ['all', armEntries] as const].flatMap(([domain, group]) =>
      countEnds(group, scorers).map(end => {
        const ended = group.filter(entry => hasEnd(entry, end))
        return {
          ...names,
          domain,
          ...end,
          medianLastStep: findMedian(ended.map(entry => entry.attempt.termination.lastHealthyStep)) ?? 0,
        }
      }),
    )
  })
}

function stepRows(entries: readonly Entry[], ends: readonly EndRow[]): EndStepRow[] {
  return ends.flatMap(({ setting, model, options, cause, reason }) => {
    const end = { setting, model, options, cause, reason }
    const endEntries = entries.filter(entry => isSameArm(entry.key, end) && hasEnd(entry, end))
    return [...groupBy(endEntries, entry => String(entry.attempt.termination.lastHealthyStep))]
      .map(([step, group]) => {
        const failed = group.filter(hasFailed).length
        return { ...end, step: Number(step), n: group.length, passed: group.length - failed }
      })
      .sort((a, b) => a.step - b.step)
  })
}

function listDetailRows(entries: readonly Entry[]): EndDetailRow[] {
  return groupByKey(entries).flatMap(({ key: { setting, model, options }, entries: armEntries }) => {
    const detailed = armEntries.flatMap(entry => {
      const { cause, reason, detail } = entry.attempt.termination
      return detail === null || !hasFailed(entry) ? [] : [{ cause, reason, detail }]
    })
    return [...groupBy(detailed, end => JSON.stringify(end)).values()]
      .map(group => ({ setting, model, options, ...group[0]!, n: group.length }))
      .sort((a, b) => b.n - a.n || compareText(a.detail, b.detail))
  })
}

function sumFailures(
  failed: readonly Entry[],
  entries: readonly Entry[],
): TerminationReport['costOfFailures'] {
  const part = (readValue: (entry: Entry) => number | null): [number | null, number | null] => {
    const spent = sumOrNull(failed, readValue)
    const whole = sumOrNull(entries, readValue)
    return [spent, spent === null || whole === null ? null : divideOrNull(spent, whole)]
  }
  const [tokens, shareOfTokens] = part(countBilledTokens)
  const [usd, shareOfUsd] = part(entry => entry.attempt.usage.usd)
  const [wallMs, shareOfWallMs] = part(entry => entry.attempt.usage.wallMs)
  return { tokens, shareOfTokens, usd, shareOfUsd, wallMs, shareOfWallMs }
}

interface Habits {
  readonly lastSteps: LastStepRow[]
  readonly loops: Loop[]
}

/** Collects last actions and loops. Reads one trace at a time, so that memory use does not grow with the run. */
async function collectHabits(entries: readonly Entry[], input: TerminationInput): Promise<Habits> {
  const lastSteps: LastStepRow[] = []
  const loops: Loop[] = []
  for (const { key, entries: armEntries } of groupByKey(entries)) {
    const { setting, model, options } = key
    for (const outcome of ['failed', 'passed'] as const) {
      const actions = new Map<string, number>()
      for (const entry of armEntries.filter(armEntry => hasFailed(armEntry) === (outcome === 'failed'))) {
        const events = await input.eventsOf(entry.attempt.attemptId)
        if (events === null) continue
        for (const [action, n] of findLastActions(events)) actions.set(action, (actions.get(action) ?? 0) + n)
        loops.push(...findLoops(entry.attempt.attemptId, events))
      }
      const total = [...actions.values()].reduce((sum, n) => sum + n, 0)
      const rows = [...actions].sort(([a, n], [b, m]) => m - n || compareText(a, b))
      lastSteps.push(
        ...rows.map(([action, n]) => ({ setting, model, options, outcome, action, n, share: n / total })),
      )
    }
  }
  return { lastSteps, loops }
}

/** Whether the primary metric has its worst possible value. */
function isWorst(score: Score, scorers: RunScorers): boolean {
  const { primary } = listScoringMetrics(scorers, score.scorer)
  const value = primary === null ? null : readRecordedValue(score, primary.key)
  return primary !== null && value !== null && value === findWorstValue(primary)
}

function summariseFailures(entries: readonly Entry[], scorers: RunScorers): FailureSummary {
  const failed = entries.filter(hasFailed)
  const ownAnswer = failed.filter(({ attempt }) => attempt.termination.reason.startsWith('answered'))
  const exhausted = failed.filter(({ attempt }) => attempt.termination.cause === 'budget')
  return {
    attempts: entries.length,
    failures: failed.length,
    resourceShareOfFailures: divideOrNull(exhausted.length, failed.length),
    answeredButWrong: {
      n: ownAnswer.length,
      shareOfFailures: divideOrNull(ownAnswer.length, failed.length),
      passedWithoutCorrectCell: entries.filter(
        entry => isScored(entry) && entry.score.answered && isWorst(entry.score, scorers),
      ).length,
    },
    costOfFailures: sumFailures(failed, entries),
  }
}

/** Analyses why the attempts of a run ended, what failures cost, what attempts did last, and which of them looped. */
export async function analyseTerminations(input: TerminationInput): Promise<TerminationReport> {
  const entries = filterFirstScoring(joinEntries(input.attempts, input.scores))
  const scorers = completeScorers(input.scorers, input.scores)
  const arms = listArms(entries)
  const ends = endRows(entries, scorers, arms)
  return {
    run: input.runId,
    scorers,
    reasons: listReasonRows(entries, scorers, arms),
    ends,
    steps: stepRows(entries, ends),
    details: listDetailRows(entries),
    skippedTasks: input.skippedTasks,
    ...summariseFailures(entries, scorers),
    arms: groupByKey(entries).map(({ key, entries: armEntries }) => {
      const { setting, model, options } = key
      return { arm: arms.idOf(key), setting, model, options, ...summariseFailures(armEntries, scorers) }
    }),
    ...(await collectHabits(entries, input)),
  }
}
