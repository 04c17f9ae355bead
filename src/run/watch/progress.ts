import { type Attempt, isUnscoredCause } from '../../core/attempt.ts'
import type { MetricDefinition, MetricValues } from '../../core/metric.ts'
import { firstEventScores } from '../../report/model/first-report.ts'
import { fitWidth } from '../../report/tables/display-width.ts'
import { metricText } from '../../report/tables/metric-text.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import { durationText, failuresText, paceText } from './status-lines.ts'
import type { Standing } from './tally.ts'

/** How an attempt was scored, by the metric that its scorer is about. */
export interface ToldScore {
  readonly metric: MetricDefinition
  readonly value: number | null
  /** Every metric by its key. */
  readonly metrics: MetricValues
}

/** What a run tells while it goes. */
export type RunEvent =
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'planned'; readonly folder: string; readonly planned: number; readonly finished: number }
  | { readonly type: 'attempt-started'; readonly attemptId: string; readonly label: string }
  | {
      readonly type: 'attempt-ended'
      readonly attempt: Attempt
      readonly label: string
      /** Null where the attempt is not scored. */
      readonly score: ToldScore | null
    }
  | {
      readonly type: 'progress'
      readonly standing: Omit<Standing, 'attemptsPerMinute'>
      /** Since this process began; null: none has ended yet. */
      readonly attemptsPerMinute: number | null
    }
  | { readonly type: 'stopping'; readonly graceMs: number }
  /** Records, scores and traces are written; the report is what is left to do. */
  | { readonly type: 'recorded'; readonly attempts: number }

export interface Progress {
  tell(event: RunEvent): void
  /** Ends the bar; nothing is written afterwards. */
  end(): void
}

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What has been told so far. */
interface Told {
  planned: number
  done: number
  failed: number
  running: Map<string, string>
  /** The latest `progress`, as text; '' before the first. */
  pace: string
}

function count(told: Told, event: RunEvent): void {
  if (event.type === 'planned') {
    told.planned = event.planned
    told.done = event.finished
  } else if (event.type === 'attempt-started') {
    told.running.set(event.attemptId, event.label)
  } else if (event.type === 'attempt-ended') {
    told.running.delete(event.attempt.attemptId)
    told.done++
    if (isUnscoredCause(event.attempt.termination.cause)) told.failed++
  } else if (event.type === 'progress') {
    told.pace = paceLine(event)
  }
}

function paceLine({ standing, attemptsPerMinute }: Extract<RunEvent, { type: 'progress' }>): string {
  const failures = failuresText(standing.ends)
  return `${paceText(standing, attemptsPerMinute)}${failures === '' ? '' : `, failed: ${failures}`}`
}

function scoreText({ score }: Extract<RunEvent, { type: 'attempt-ended' }>): string {
  return score === null ? 'unscored' : `${score.metric.label} ${metricText(score.metric, score.value)}`
}

function endLine(told: Told, event: Extract<RunEvent, { type: 'attempt-ended' }>): string {
  const { termination, usage } = event.attempt
  const score = scoreText(event)
  const detail =
    isUnscoredCause(termination.cause) && termination.detail !== null ? `: ${termination.detail}` : ''
  return `[${told.done}/${told.planned}] ${event.label}  ${termination.cause}/${termination.reason}${detail}  ${score}  ${durationText(usage.wallMs ?? 0)}`
}

/** `; running: a offline, b rag and 2 more`; empty where nothing runs. */
function runningText({ running }: Told): string {
  const [first, second, ...others] = running.values()
  if (first === undefined) return ''
  const named = second === undefined ? first : `${first}, ${second}`
  return `; running: ${named}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** The report of so many attempts takes a while. */
const longReport = 1_000

function plainLine(told: Told, event: RunEvent): string | null {
  switch (event.type) {
    case 'notice':
      return event.text
    case 'planned':
      return `${event.planned} ${event.planned === 1 ? 'attempt' : 'attempts'} -> ${event.folder}${event.finished > 0 ? ` (${event.finished} already finished)` : ''}`
    case 'attempt-started':
      return null
    case 'attempt-ended':
      return endLine(told, event)
    case 'progress':
      return `${event.standing.done} of ${event.standing.planned} attempts done, ${told.pace}${runningText(told)}`
    case 'stopping':
      return `stopping: running attempts get ${event.graceMs / 1000} s; Ctrl-C again ends them now`
    case 'recorded':
      return event.attempts < longReport ? null : `the report of ${event.attempts} attempts is being made`
    default:
      return event satisfies never
  }
}

function bar(told: Told, elapsedMs: number, columns: number): string {
  const share = told.planned === 0 ? 0 : told.done / told.planned
  const filled = Math.round(share * 20)
  const now = [...told.running.values()].join(', ')
  const text = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${told.done}/${told.planned}  failed ${told.failed}  ${durationText(elapsedMs)}  ${told.pace}  ${now}`
  return fitWidth(text, Math.max(20, columns - 1))
}

/** How often progress is written, by the time since the start. */
type Pace = (elapsedMs: number) => number
const everyHalfMinute: Pace = () => 30_000
/** A reader who has just started a run wants to see it move. */
const oftenAtFirst: Pace = elapsedMs => (elapsedMs <= 60_000 ? 5_000 : 30_000)

/** Lets `progress` through at that pace and at the end of the plan, and every other event always. */
function paceFilter(now: () => number, pace: Pace): (event: RunEvent) => boolean {
  const begun = now()
  let last = { at: begun, done: -1 }
  return event => {
    if (event.type !== 'progress') return true
    const { left, done } = event.standing
    // What has not changed is repeated more seldom.
    const isNew = done !== last.done
    const every = isNew ? pace(now() - begun) : everyHalfMinute(0)
    const isEnd = left === 0 && isNew
    if (now() - last.at < every && !isEnd) return false
    last = { at: now(), done }
    return true
  }
}

/** Failures of the same cause and reason that get a line each; the others are only counted. */
const sameFailuresTold = 3

/** Stops attempts with a score, which progress counts, and those after the third that failed in the same way. */
function failureFilter(): (event: RunEvent) => boolean {
  const told = new Map<string, number>()
  return event => {
    if (event.type !== 'attempt-ended') return true
    if (event.score !== null) return false
    const { cause, reason } = event.attempt.termination
    const before = told.get(`${cause}/${reason}`) ?? 0
    told.set(`${cause}/${reason}`, before + 1)
    return before < sameFailuresTold
  }
}

/** A bar that redraws itself on a terminal, a line every few seconds elsewhere, JSON lines of everything when asked for. */
export function createProgress(output: Output, json: boolean, now: () => number): Progress {
  if (!json && output.isTTY === true) return barProgress(output, now)
  const told = newTold()
  const isDue = paceFilter(now, json ? everyHalfMinute : oftenAtFirst)
  const isNews = failureFilter()
  return {
    tell(event) {
      count(told, event)
      if (!isDue(event) || !(json || isNews(event))) return
      const line = json ? JSON.stringify(jsonEvent(event)) : plainLine(told, event)
      if (line !== null) output.write(`${json ? line : withoutControlCharacters(line)}\n`)
    },
    end: () => undefined,
  }
}

function barProgress(output: Output, now: () => number): Progress {
  const told = newTold()
  const startedAt = now()
  const isNews = failureFilter()
  const draw = (): void => {
    output.write(`\r\x1b[2K${withoutControlCharacters(bar(told, now() - startedAt, output.columns ?? 100))}`)
  }
  const timer = setInterval(draw, 500)
  timer.unref()
  return {
    tell(event) {
      count(told, event)
      const line = event.type !== 'progress' && isNews(event) ? plainLine(told, event) : null
      if (line !== null) output.write(`\r\x1b[2K${withoutControlCharacters(line)}\n`)
      draw()
    },
    end() {
      clearInterval(timer)
      output.write('\r\x1b[2K')
    },
  }
}

function newTold(): Told {
  return { planned: 0, done: 0, failed: 0, running: new Map(), pace: '' }
}

/** An attempt's whole record stands in attempts.jsonl; the event names it and says how it went. */
function jsonEvent(event: RunEvent): Record<string, unknown> {
  if (event.type !== 'attempt-ended') return event
  const { attemptId, taskId, setting, model, trial, termination } = event.attempt
  const { type, score } = event
  const primary = { metric: score?.metric.key ?? null, value: score?.value ?? null }
  const first = firstEventScores(score?.metrics ?? {})
  return { type, attemptId, taskId, setting, model, trial, termination, ...primary, ...first }
}
