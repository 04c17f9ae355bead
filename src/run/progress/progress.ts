import type { Attempt } from '../../core/attempt.ts'
import type { MetricDefinition, MetricValues } from '../../core/metric.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import { fitWidth } from '../../report/tables/display-width.ts'
import { formatMetric } from '../../report/tables/value-text.ts'
import { formatCount } from '../../score/explain/wording.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import { formatDuration, formatFailures, formatPace } from './status-lines.ts'
import type { Standing } from './tally.ts'

/** The score of an attempt, by the primary metric of its scorer. */
export interface EventScore {
  readonly metric: MetricDefinition
  readonly value: number | null
  /** Every metric by its key. */
  readonly metrics: MetricValues
}

/** An event of a run. */
export type RunEvent =
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'planned'; readonly folder: string; readonly planned: number; readonly finished: number }
  | { readonly type: 'attempt-started'; readonly attemptId: string; readonly label: string }
  | {
      readonly type: 'attempt-ended'
      readonly attempt: Attempt
      readonly label: string
      /** Null when the attempt is not scored. */
      readonly score: EventScore | null
    }
  | {
      readonly type: 'progress'
      readonly standing: Omit<Standing, 'attemptsPerMinute'>
      /** Since this process began; null before the first attempt has ended. */
      readonly attemptsPerMinute: number | null
    }
  | { readonly type: 'stopping'; readonly graceMs: number }
  /** Records, scores and traces are written; the report follows. */
  | { readonly type: 'recorded'; readonly attempts: number }

/** Prints the progress of a run. */
export interface ProgressOutput {
  tell(event: RunEvent): void
  /** Removes the bar. Nothing is written afterwards. */
  end(): void
}

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The progress so far. */
interface ProgressCounts {
  planned: number
  done: number
  failed: number
  running: Map<string, string>
  /** The latest `progress`, as text; '' before the first. */
  pace: string
}

function updateCounts(counts: ProgressCounts, event: RunEvent): void {
  if (event.type === 'planned') {
    counts.planned = event.planned
    counts.done = event.finished
  } else if (event.type === 'attempt-started') {
    counts.running.set(event.attemptId, event.label)
  } else if (event.type === 'attempt-ended') {
    counts.running.delete(event.attempt.attemptId)
    counts.done++
    if (isUnscoredCause(event.attempt.termination.cause)) counts.failed++
  } else if (event.type === 'progress') {
    counts.pace = writePaceLine(event)
  }
}

function writePaceLine({ standing, attemptsPerMinute }: Extract<RunEvent, { type: 'progress' }>): string {
  const failures = formatFailures(standing.ends)
  return `${formatPace(standing, attemptsPerMinute)}${failures === '' ? '' : `, failed: ${failures}`}`
}

function endLine(counts: ProgressCounts, event: Extract<RunEvent, { type: 'attempt-ended' }>): string {
  const { termination, usage } = event.attempt
  const score =
    event.score === null
      ? 'unscored'
      : `${event.score.metric.label} ${formatMetric(event.score.metric, event.score.value)}`
  const detail =
    isUnscoredCause(termination.cause) && termination.detail !== null ? `: ${termination.detail}` : ''
  return `[${counts.done}/${counts.planned}] ${event.label}  ${termination.cause}/${termination.reason}${detail}  ${score}  ${formatDuration(usage.wallMs ?? 0)}`
}

/** Names running attempts: `; running: a offline, b rag and 2 more`. Empty when none runs. */
function formatRunning({ running }: ProgressCounts): string {
  const [first, second, ...further] = running.values()
  if (first === undefined) return ''
  const named = second === undefined ? first : `${first}, ${second}`
  return `; running: ${named}${further.length === 0 ? '' : ` and ${further.length} more`}`
}

/** The report of this many attempts takes a while, so that it is announced. */
const longReport = 1_000

function writePlainLine(counts: ProgressCounts, event: RunEvent): string | null {
  switch (event.type) {
    case 'notice':
      return event.text
    case 'planned':
      return `${formatCount(event.planned, 'attempt')} -> ${event.folder}${event.finished > 0 ? ` (${event.finished} already finished)` : ''}`
    case 'attempt-started':
      return null
    case 'attempt-ended':
      return endLine(counts, event)
    case 'progress':
      return `${event.standing.done} of ${event.standing.planned} attempts done, ${counts.pace}${formatRunning(counts)}`
    case 'stopping':
      return `stopping: running attempts have ${event.graceMs / 1000} s to end; press Ctrl-C again to cancel them now`
    case 'recorded':
      return event.attempts < longReport ? null : `writing the report of ${event.attempts} attempts`
    default:
      return event satisfies never
  }
}

function drawBar(counts: ProgressCounts, elapsedMs: number, columns: number): string {
  const share = counts.planned === 0 ? 0 : counts.done / counts.planned
  const filled = Math.round(share * 20)
  const now = [...counts.running.values()].join(', ')
  const text = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${counts.done}/${counts.planned}  failed ${counts.failed}  ${formatDuration(elapsedMs)}  ${counts.pace}  ${now}`
  return fitWidth(text, Math.max(20, columns - 1))
}

/** How often progress is written, by the time since the start. */
type ProgressPace = (elapsedMs: number) => number
const waitHalfMinute: ProgressPace = () => 30_000
/** More often during the first minute, when somebody is likely to watch. */
const waitLessAtFirst: ProgressPace = elapsedMs => (elapsedMs <= 60_000 ? 5_000 : 30_000)

/** Returns a filter that passes `progress` events at the given pace and at the end of the plan, and all other events. */
function makePaceFilter(now: () => number, pace: ProgressPace): (event: RunEvent) => boolean {
  const begun = now()
  let last = { at: begun, done: -1 }
  return event => {
    if (event.type !== 'progress') return true
    const { standing } = event
    // Unchanged progress is repeated less often.
    const isNew = standing.done !== last.done
    const every = isNew ? pace(now() - begun) : waitHalfMinute(0)
    const isEnd = standing.left === 0 && isNew
    if (now() - last.at < every && !isEnd) return false
    last = { at: now(), done: standing.done }
    return true
  }
}

/** This many failures of the same cause and reason get a line each; further ones are only counted. */
const shownFailures = 3

/** Returns a filter that drops scored attempts, which progress counts, and all but the first failures of each reason. */
function makeFailureFilter(): (event: RunEvent) => boolean {
  const shown = new Map<string, number>()
  return event => {
    if (event.type !== 'attempt-ended') return true
    if (event.score !== null) return false
    const { cause, reason } = event.attempt.termination
    const before = shown.get(`${cause}/${reason}`) ?? 0
    shown.set(`${cause}/${reason}`, before + 1)
    return before < shownFailures
  }
}

/**
 * Creates the progress output: a bar on a terminal, a line every few seconds elsewhere.
 *
 * @param json prints every event as a JSON line instead
 */
export function createProgress(output: Output, json: boolean, now: () => number): ProgressOutput {
  if (!json && output.isTTY === true) return makeBarProgress(output, now)
  const counts = makeCounts()
  const isDue = makePaceFilter(now, json ? waitHalfMinute : waitLessAtFirst)
  const isNews = makeFailureFilter()
  return {
    tell(event) {
      updateCounts(counts, event)
      if (!isDue(event) || !(json || isNews(event))) return
      const line = json ? JSON.stringify(makeJsonEvent(event)) : writePlainLine(counts, event)
      if (line !== null) output.write(`${json ? line : withoutControlCharacters(line)}\n`)
    },
    end: () => undefined,
  }
}

function makeBarProgress(output: Output, now: () => number): ProgressOutput {
  const counts = makeCounts()
  const startedAt = now()
  const isNews = makeFailureFilter()
  const draw = (): void => {
    output.write(
      `\r\x1b[2K${withoutControlCharacters(drawBar(counts, now() - startedAt, output.columns ?? 100))}`,
    )
  }
  const timer = setInterval(draw, 500)
  timer.unref()
  return {
    tell(event) {
      updateCounts(counts, event)
      const line = event.type !== 'progress' && isNews(event) ? writePlainLine(counts, event) : null
      if (line !== null) output.write(`\r\x1b[2K${withoutControlCharacters(line)}\n`)
      draw()
    },
    end() {
      clearInterval(timer)
      output.write('\r\x1b[2K')
    },
  }
}

function makeCounts(): ProgressCounts {
  return { planned: 0, done: 0, failed: 0, running: new Map(), pace: '' }
}

/** Shortens an event: it names an ended attempt and its scores; attempts.jsonl contains the whole record. */
function makeJsonEvent(event: RunEvent): Record<string, unknown> {
  if (event.type !== 'attempt-ended') return event
  const { attemptId, taskId, setting, model, trial, termination } = event.attempt
  const { type, score } = event
  const primary = { metric: score?.metric.key ?? null, value: score?.value ?? null }
  return {
    type,
    attemptId,
    taskId,
    setting,
    model,
    trial,
    termination,
    ...primary,
    metrics: score?.metrics ?? {},
  }
}
