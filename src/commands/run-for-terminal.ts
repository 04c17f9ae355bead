import { join } from 'node:path'
import type { RunConfig } from '../config.ts'
import { tuneForAttempts } from '../core/engine.ts'
import { ConfigError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
import { graceMs, type Interrupt, listenForInterrupt } from '../run/interrupt.ts'
import { resolveRunOptions } from '../run/plan/resume.ts'
import { createProgress, type Progress } from '../run/watch/progress.ts'
import { executeRun, loadTasks, type RunSummary } from '../run.ts'
import { printSummary } from './print-summary.ts'

/** `run` and `demo`: progress on stderr, the summary, all tables or JSON on stdout; returns the exit code. */
export async function runForTerminal(
  given: Readonly<Record<string, unknown>>,
  own: { distractors?: string; notices?: readonly string[]; full?: boolean } = {},
): Promise<number> {
  const config = await resolveRunOptions(given)
  const notices = own.notices ?? []
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
        progress.tell(event)
      },
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
      distractors: own.distractors ?? null,
      command: process.argv.slice(2),
    })
    progress.end()
    if (config.json) process.stdout.write(`${JSON.stringify(summary.report)}\n`)
    else await printOutcome(summary, own.full === true)
    if (interrupt.stopping.aborted) return 130
    tellWhereNothingScored(summary)
    return 0
  } catch (error) {
    if (interrupt.stopping.aborted && !(error instanceof ConfigError)) return 130
    throw error
  } finally {
    progress.end()
    interrupt.dispose()
  }
}

/** Documents may be read for minutes before the first attempt: nothing is under way then, and Ctrl-C ends the process. */
function listenToOperator(progress: Progress): Interrupt & { begin(): void } {
  let begun = false
  const interrupt = listenForInterrupt(systemClock, () => {
    if (begun) progress.tell({ type: 'stopping', graceMs })
  })
  interrupt.stopping.addEventListener('abort', () => {
    if (begun) return
    progress.end()
    process.stderr.write('stopped before its first attempt\n')
    process.exit(130)
  })
  const begin = (): void => {
    begun = true
  }
  return { ...interrupt, begin }
}

/** An exit code of 0 says that every attempt ended, not that one could be scored. */
function tellWhereNothingScored({ report, folder }: RunSummary): void {
  if (report.groups.some(group => group.scored > 0)) return
  const wereKilled = report.terminations.some(({ cause }) => cause === 'provider' || cause === 'harness')
  const mend = wereKilled
    ? `tablehunt logs termination ${folder} says why; once it is mended, the same command with --retry unscored makes them again`
    : `the judge gave nothing that could be read; tablehunt score ${folder} scores them again, with --judge of your choice`
  process.stderr.write(`no attempt could be scored: ${mend}\n`)
}

/** --dry-run: what the run would cost, on stdout. */
async function printEstimate(config: RunConfig): Promise<number> {
  const { estimateLines, estimateRun } = await import('../run/budget/estimate.ts')
  const { tasks } = await loadTasks(config)
  const estimate = await estimateRun(config, tasks, process.env)
  process.stdout.write(
    config.json ? `${JSON.stringify(estimate)}\n` : `${estimateLines(estimate).join('\n')}\n`,
  )
  return 0
}

/** The run has already written its report. */
async function printOutcome(summary: RunSummary, full: boolean): Promise<void> {
  const reportFiles = [join(summary.folder, 'report.html')]
  await printSummary({ ...summary, isRunning: false, reportFiles }, full)
  if (full) process.stderr.write(`report: ${reportFiles.join('')}\n`)
}
