import { type RunConfig, resolveConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
import { listenForInterrupt } from '../run/interrupt.ts'
import { createProgress } from '../run/progress.ts'
import { executeRun, loadTasks } from '../run.ts'

/** `run` and `demo`: progress on stderr, the comparison (or its JSON) on stdout; gives the exit code. */
export async function runForTerminal(
  given: Readonly<Record<string, unknown>>,
  own: { distractors?: string } = {},
): Promise<number> {
  const config = resolveConfig(given)
  if (config.dryRun) return await printEstimate(config)
  const progress = createProgress(process.stderr, config.json, systemClock.now)
  const interrupt = listenForInterrupt(systemClock, () =>
    progress.tell({ type: 'stopping', graceMs: 10_000 }),
  )
  try {
    const summary = await executeRun(config, {
      tell: event => progress.tell(event),
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
      distractors: own.distractors ?? null,
      command: process.argv.slice(2),
    })
    progress.end()
    if (config.json) process.stdout.write(`${JSON.stringify(summary.report)}\n`)
    else await printComparison(summary.folder)
    return interrupt.stopping.aborted ? 130 : 0
  } catch (error) {
    if (interrupt.stopping.aborted && !(error instanceof ConfigError)) return 130
    throw error
  } finally {
    progress.end()
    interrupt.dispose()
  }
}

/** --dry-run: what the run would cost, on stdout. */
async function printEstimate(config: RunConfig): Promise<number> {
  const { estimateLines, estimateRun } = await import('../run/estimate.ts')
  const { tasks } = await loadTasks(config)
  const estimate = await estimateRun(config, tasks, process.env)
  process.stdout.write(
    config.json ? `${JSON.stringify(estimate)}\n` : `${estimateLines(estimate).join('\n')}\n`,
  )
  return 0
}

async function printComparison(folder: string): Promise<void> {
  const { printReport } = await import('./report.ts')
  await printReport(folder, {})
}
