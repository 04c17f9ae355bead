import { describeMissingDocuments } from '../../core/missing-documents.ts'
import { isUnscoredCause } from '../../core/termination.ts'
import { formatDollars } from '../../report/tables/value-text.ts'
import { formatCount, pickVerb } from '../../score/explain/wording.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import type { StopCause } from '../records/manifest.ts'
import type { RunStatus } from './status.ts'
import type { EndCount, Standing } from './tally.ts'

/** Formats a duration: `1h 12m`, `3m 5s`, `8s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

const count = (tokens: number): string => tokens.toLocaleString('en-US')

/** Formats a sum over attempts of which some are unknown: `1.20`, `at least 1.20`, `unknown`. */
function sumText(sum: number | null, unknown: number, format: (amount: number) => string): string {
  // A sum of 0 says nothing about the unknown attempts.
  if (sum === null || (sum === 0 && unknown > 0)) return 'unknown'
  return unknown === 0 ? format(sum) : `at least ${format(sum)}`
}

/** Formats rate, cost and remaining time: `14.2 a minute, US$ 1.20 of about 11.40, about 1h 12m left`. */
export function formatPace(
  standing: Omit<Standing, 'attemptsPerMinute'>,
  attemptsPerMinute: number | null,
): string {
  const { usd, usdUnknown, usdEstimated, left, leftMs } = standing
  const rate = attemptsPerMinute === null ? [] : [`${attemptsPerMinute.toFixed(1)} a minute`]
  const spent = `US$ ${sumText(usd, usdUnknown, formatDollars)}`
  const cost =
    left === 0 || usdEstimated === null || usd === 0
      ? spent
      : `${spent} of about ${formatDollars(usdEstimated)}`
  const time =
    left === 0 ? [] : [leftMs === null ? 'time left unknown' : `about ${formatDuration(leftMs)} left`]
  return [...rate, cost, ...time].join(', ')
}

/** Formats the failures by reason: `rate-limited 3, crash 1`. */
export function formatFailures(ends: readonly EndCount[]): string {
  return ends
    .filter(end => isUnscoredCause(end.cause))
    .map(end => `${end.reason} ${end.n}`)
    .join(', ')
}

/** Formats a run's status for a terminal. */
export function listStatusLines(status: RunStatus): string[] {
  const { planned, left, failed, tokens, tokensUnknown, missingDocuments } = status
  const who = status.process === null ? '' : ` by process ${status.process.pid} on ${status.process.host}`
  const resume =
    status.state === 'stopped'
      ? `${stopText(status)}; ${formatCount(left, 'attempt')} ${pickVerb(left, 'is', 'are')} left; go on with: tablehunt run --resume --out ${status.run}`
      : ''
  const share = planned === 0 ? 100 : Math.floor((100 * status.done) / planned)
  return [
    `${status.run}: ${status.state}${who}${resume}`,
    `${status.done} of ${planned} attempts done (${share}%), ${left} left, ${failed} ended by a failure of the provider or the harness`,
    formatPace(status, status.attemptsPerMinute),
    `tokens: ${sumText(tokens, tokensUnknown, count)}`,
    ...status.ends.map(endLine),
    ...(missingDocuments === null ? [] : [describeMissingDocuments(missingDocuments)]),
    ...status.running.map(attempt => {
      const since =
        attempt.elapsedMs === null
          ? 'time unknown (the clock was changed)'
          : formatDuration(attempt.elapsedMs)
      const what =
        status.process === null ? 'left unfinished' : `${since}, step ${attempt.step}, ${attempt.doing}`
      return `  now  ${attempt.attemptId}  ${what}`
    }),
  ].map(withoutControlCharacters)
}

const stoppedBy = {
  SIGINT: 'by Ctrl-C',
  SIGTERM: 'by the signal SIGTERM',
  SIGHUP: 'when its terminal closed (SIGHUP)',
  caller: 'by the program that called it',
} as const satisfies Record<StopCause, string>

/** Says who stopped a run, and when: ` by Ctrl-C at 2026-01-01 00:00:10 UTC`. Empty when its process ended otherwise. */
function stopText({ stopped }: RunStatus): string {
  if (stopped === null) return ''
  return ` ${stoppedBy[stopped.by]} at ${stopped.at.slice(0, 19).replace('T', ' ')} UTC`
}

function endLine({ cause, reason, n, detail }: EndCount): string {
  const why = isUnscoredCause(cause) && detail !== null ? `  (latest: ${detail})` : ''
  return `  ${String(n).padStart(6)}  ${cause} / ${reason}${why}`
}
