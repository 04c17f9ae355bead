import { join } from 'node:path'
import type { ParsedOptions, RunConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { parseThreshold } from '../core/metric.ts'
import { systemClock } from '../core/runtime.ts'
import { plainFailure } from '../models/failure-body.ts'
import { modelProviders } from '../models/registry.ts'
import { listThresholdLines } from '../report/model/thresholds.ts'
import { listUnscoredLines } from '../report/model/unscored.ts'
import type { FailedService } from '../run/attempt/service-watch.ts'
import { graceMs, type Interrupt, listenForInterrupt } from '../run/interrupt.ts'
import { loadTasks } from '../run/plan/load-tasks.ts'
import { listTaskNotices } from '../run/plan/task-notices.ts'
import { createProgress, type ProgressOutput } from '../run/progress/progress.ts'
import { resolveRunOptions } from '../run/records/resume.ts'
import { executeRun, type RunSummary } from '../run.ts'
import { formatCount, pickVerb } from '../score/explain/wording.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'
import { printSummary } from './print-summary.ts'
import { printJson } from './terminal.ts'
import { tuneForAttempts, tuneForOnePass } from './v8-flags.ts'

/** What a command adds to its options. */
interface FurtherChoices {
  readonly distractors?: string
  readonly notices?: readonly string[]
  readonly full?: boolean
  /** The options, when they are complete already. */
  readonly config?: RunConfig
  /** Prints the result in place of the summary. */
  readonly print?: (summary: RunSummary) => Promise<void>
}

/**
 * Makes a run for `run`, `demo`, `fork` and `causes`. Prints the progress to stderr, and the summary, all tables or JSON to stdout.
 *
 * @returns the exit code
 */
export async function runForTerminal(options: ParsedOptions, further: FurtherChoices = {}): Promise<number> {
  const config = further.config ?? (await resolveRunOptions(options))
  const notices = further.notices ?? []
  if (config.dryRun) {
    for (const text of notices) process.stderr.write(`${text}\n`)
    return await printEstimate(config)
  }
  const progress = createProgress(process.stderr, config.json, systemClock.now)
  for (const text of notices) progress.tell({ type: 'notice', text })
  const interrupt = listenToOperator(progress)
  try {
    const summary = await executeRun(config, {
      tell: event => {
        if (event.type === 'planned') {
          interrupt.begin()
          tuneForAttempts(event.planned)
        }
        // What follows is the report, which is made in one pass.
        if (event.type === 'recorded') tuneForOnePass()
        progress.tell(event)
      },
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
      distractors: further.distractors ?? null,
      command: process.argv.slice(2),
    })
    progress.end()
    if (config.json) printJson(summary.report)
    else if (further.print !== undefined && !further.full) await further.print(summary)
    else await printOutcome(summary, further.full === true)
    if (interrupt.stopping.aborted) return 130
    return decideExitCode(summary, config)
  } catch (error) {
    if (interrupt.stopping.aborted && !(error instanceof ConfigError)) return 130
    throw error
  } finally {
    progress.end()
    interrupt.dispose()
  }
}

/** Listens for Ctrl-C. Before the first attempt, while documents are read, Ctrl-C ends the process at once. */
function listenToOperator(progress: ProgressOutput): Interrupt & { begin(): void } {
  let begun = false
  const interrupt = listenForInterrupt(systemClock, () => {
    if (begun) progress.tell({ type: 'stopping', graceMs })
  })
  interrupt.stopping.addEventListener('abort', () => {
    if (begun) return
    progress.end()
    process.stderr.write('stopped before the first attempt\n')
    process.exit(130)
  })
  const begin = (): void => {
    begun = true
  }
  return { ...interrupt, begin }
}

/** Returns 1, and prints the reason to stderr, when a service failed, nothing was scored, or a metric is too low. */
function decideExitCode({ report, folder, failedServices }: RunSummary, { failUnder }: RunConfig): number {
  const givenUp = failedServices.filter(failure => failure.isGivenUp)
  const unscored = givenUp.length > 0 ? [] : listUnscoredLines(report, folder)
  const lines = [
    ...listFailedServiceLines(unscored.length === 0 ? failedServices : givenUp, folder),
    ...unscored,
    ...listThresholdLines(report, failUnder.map(parseThreshold)),
  ]
  const { terminations } = report
  // A crashed agent has a result, the score 0, so that the exit code stays 0.
  if (terminations.length > 0 && terminations.every(({ reason }) => reason === 'crashed'))
    process.stderr.write(
      `tablehunt: warning: every attempt ended because its agent crashed. 'tablehunt logs termination ${folder}' shows its last lines. Fix the agent and run again with another --out.\n`,
    )
  for (const line of lines) process.stderr.write(`tablehunt: ${line}\n`)
  return lines.length === 0 ? 0 : 1
}

/** Prints what the run would cost, for --dry-run. */
async function printEstimate(config: RunConfig): Promise<number> {
  const { estimateLines } = await import('../run/estimate/estimate-lines.ts')
  const { estimateRun } = await import('../run/estimate/estimate.ts')
  const loaded = await loadTasks(config)
  for (const text of listTaskNotices(loaded, config.tasks)) process.stderr.write(`${text}\n`)
  const estimate = await estimateRun(config, loaded.tasks, process.env)
  process.stdout.write(
    config.json ? `${JSON.stringify(estimate)}\n` : `${estimateLines(estimate).join('\n')}\n`,
  )
  return 0
}

/** Prints the summary or all tables. The run has written report.html already. */
async function printOutcome(summary: RunSummary, full: boolean): Promise<void> {
  const reportFiles = [join(summary.folder, 'report.html')]
  await printSummary({ ...summary, isRunning: false, reportFiles }, full)
  if (full) process.stderr.write(`report: ${reportFiles.join('')}\n`)
  const { readLargeReportNote } = await import('../run/report-run.ts')
  const large = await readLargeReportNote(reportFiles.join(''), { folder: summary.folder, isSplit: false })
  if (large !== null) process.stderr.write(`report: ${large}\n`)
}

/** Returns a line for each failed service: its message, the attempts that were not made, and what to do. */
export function listFailedServiceLines(failures: readonly FailedService[], folder: string): string[] {
  return failures.map(failure => {
    const { service, server, detail, failed, skipped } = failure
    const where = server === null ? '' : ` at ${server}`
    const left = skipped === 0 ? '' : ` and ${skipped} ${pickVerb(skipped, 'was', 'were')} not made`
    return withoutControlCharacters(
      `${service}${where} failed: ${plainFailure(service, detail)}. ${formatCount(failed, 'attempt')} failed${left}. ${describeFix(failure)}, then run the same command with --out ${folder}: it repeats all of them. [provider-failed]`,
    )
  })
}

function describeFix({ service, reason }: FailedService): string {
  if (reason === 'unavailable') return 'Check that the server runs and that its address is right'
  const provider = service.split(':')[0] ?? ''
  if (reason !== 'auth' && !modelProviders.has(provider))
    return "Check the service's address and its settings"
  if (reason !== 'auth')
    return "Check the server's address and the model's name (another name needs another --out)"
  const key = modelProviders.has(provider) ? modelProviders.get(provider).keyVariable : null
  return `Check the API key${key === null ? '' : ` (${key})`} and the account's credit`
}
