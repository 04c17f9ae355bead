/**
 * The story of a run, from the command to the report:
 *
 * 1. `executeRun` (here) calls `makeAttempts` (run/make-attempts.ts), which reads the tasks (`loadTasks` in run/plan), checks
 *    the options (`checkOptions`), locks the folder (`lockRun` in run/records) and repairs what a killed run left (`repairRun`).
 * 2. `openResources` (run/open-run) opens what all attempts share: models, web, documents and the writers of records.
 * 3. `beginRun` (run/begin-run.ts) plans every attempt (`planRun`) and finds those that have a record already. A folder
 *    with other options is refused (`requireSameRun`).
 * 4. `executeAll` (run/attempt/execute-all.ts) makes the missing attempts concurrently: in this process, or on the workers
 *    of --queue (`openQueueExecutor` in run/queue). `ServiceWatch` stops using a service that only the operator can fix.
 * 5. `executeAttempt` (run/attempt/execute.ts) runs the setting. `watchAttempt` follows its events and writes its trace.
 * 6. `measureAttempt` (run/attempt/measure-attempt.ts) finds what the attempt saw and measures what it found.
 * 7. `scoreAnswers` (run/attempt/score-answers.ts) asks each scorer by `scoreAttempt` (score/score-attempt.ts).
 * 8. `RunFolder.append` (run/records/run-folder.ts) writes long texts, trace, answers and scores to the disk, and the line of
 *    the attempt last. An attempt without its line is made again.
 * 9. `readReport` and `writeHtmlReport` (run/report-run.ts) make the report from the records alone.
 *
 * `scoreRun` (run/scores/score-run.ts) scores the records of a finished run again.
 */
import type { RunConfig } from './config.ts'
import { ConfigError } from './core/errors.ts'
import type { Report } from './report/model/report.ts'
import type { FailedService } from './run/attempt/service-watch.ts'
import { makeAttempts } from './run/make-attempts.ts'
import { requireRun } from './run/records/resume.ts'
import { type LoadedReport, readReport, writeHtmlReport } from './run/report-run.ts'
import { quietHooks, type RunHooks } from './run/run-hooks.ts'
import { optionalParts, requirePackages } from './system/optional-packages.ts'

export type { RunHooks } from './run/run-hooks.ts'

/**
 * The result of a run.
 *
 * @example
 * import { type RunSummary, run } from 'tablehunt'
 *
 * const isComplete = ({ left, failedServices }: RunSummary): boolean => left === 0 && failedServices.length === 0
 */
export interface RunSummary {
  readonly folder: string
  readonly report: Report
  /** The records that the report was made from, without long texts. */
  readonly records: LoadedReport['records']
  /** Planned attempts that are still to be made. More than 0 only when the run was stopped, or when a service failed. */
  readonly left: number
  /** Services that fail until the operator fixes the cause, such as a refused key. */
  readonly failedServices: readonly FailedService[]
}

/**
 * Makes every planned attempt that has no record yet, scores it and writes the report. Running again with the same folder
 * resumes the run.
 *
 * @throws ConfigError or DataError for wrong input, before anything is spent; RunError when the run cannot be carried out
 */
export async function executeRun(
  config: RunConfig,
  callerHooks: Partial<RunHooks> = {},
): Promise<RunSummary> {
  const hooks = { ...quietHooks, ...callerHooks }
  if (config.resume) requireRun(config.out)
  const { queue } = config
  if (queue !== null) {
    if (hooks.web !== null)
      throw new ConfigError('the hook `web` works in this process only. Leave --queue out.', {
        code: 'web-with-queue',
      })
    requirePackages(optionalParts.queue)
    const { requireQueue } = await import('./run/queue/queue-executor.ts')
    await requireQueue({ ...config, queue }, hooks.env)
  }
  const { planned, left, failedServices, lock } = await makeAttempts(config, hooks)
  try {
    hooks.tell({ type: 'recorded', attempts: planned - left })
    // Tasks and plan are out of scope here, so that the report of a large run has more memory.
    const loaded = await readReport(config.out)
    lock.requireHeld()
    await writeHtmlReport(loaded, { copy: null })
    return { folder: config.out, report: loaded.report, records: loaded.records, left, failedServices }
  } finally {
    await lock.release()
  }
}
