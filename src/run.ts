import type { RunConfig } from './config.ts'
import { ConfigError } from './core/errors.ts'
import type { Report } from './report/model/report.ts'
import type { FailedService } from './run/attempt/service-watch.ts'
import { makeAttempts } from './run/make-attempts.ts'
import { requireRun } from './run/records/resume.ts'
import { type LoadedReport, readReport, writeHtmlReport } from './run/report-run.ts'
import { quietHooks, type RunHooks } from './run/run-hooks.ts'

export type { RunHooks } from './run/run-hooks.ts'

/**
 * What a run came to.
 *
 * @example
 * import { type RunSummary, run } from 'tablehunt'
 *
 * const isComplete = ({ left, failedServices }: RunSummary): boolean => left === 0 && failedServices.length === 0
 */
export interface RunSummary {
  readonly folder: string
  readonly report: Report
  /** The records that the report was made of, without long texts. */
  readonly records: LoadedReport['records']
  /** Attempts of the plan that are still to be made: more than 0 only when it was stopped, or when a service failed. */
  readonly left: number
  /** Services that failed in a way that only the operator can fix: given up, or without any answer. */
  readonly failedServices: readonly FailedService[]
}

/**
 * Makes every attempt of the plan that has no record yet, scores it and writes the report. The same folder again goes
 * on where it stopped. Rejects with ConfigError or DataError for wrong input, before anything is spent.
 */
export async function executeRun(config: RunConfig, given: Partial<RunHooks> = {}): Promise<RunSummary> {
  const hooks = { ...quietHooks, ...given }
  if (config.resume) requireRun(config.out)
  const { queue } = config
  if (queue !== null) {
    if (hooks.web !== null)
      throw new ConfigError('a web that is handed in stays in this process: leave --queue out')
    const { requireQueue } = await import('./run/queue/queue-executor.ts')
    await requireQueue({ ...config, queue })
  }
  const { planned, left, failedServices, lock } = await makeAttempts(config, hooks)
  try {
    hooks.tell({ type: 'recorded', attempts: planned - left })
    // Tasks and plan are let go of by now, so that the report of a large run has the memory to itself.
    const loaded = await readReport(config.out)
    lock.requireHeld()
    await writeHtmlReport(loaded, null)
    return { folder: config.out, report: loaded.report, records: loaded.records, left, failedServices }
  } finally {
    await lock.release()
  }
}
