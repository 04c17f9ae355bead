import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor } from '../logs/redact.ts'
import type { ValidatedTasks } from '../tasks/validate/validate-tasks.ts'
import type { RunConfig } from './config.ts'
import { ConfigError, RunError } from './core/errors.ts'
import type { FolderLock } from './core/folder-lock.ts'
import { systemClock } from './core/runtime.ts'
import type { LoadedTasks } from './core/task.ts'
import type { Report } from './report/model/report.ts'
import { allCaps } from './run/budget/caps.ts'
import { executeAll } from './run/execute-all.ts'
import { identityOf, requireSameRun } from './run/folder/identity.ts'
import { lockRun } from './run/folder/lock.ts'
import { countBySetting, goneOn, manifestOf, withStoreUse } from './run/folder/new-manifest.ts'
import { repairRun } from './run/folder/repair.ts'
import { earlierManifest, finishedAttempts, RunFolder } from './run/folder/run-folder.ts'
import { checkDocuments } from './run/grounds/documents.ts'
import { openGrounds, type RunGrounds } from './run/grounds/grounds.ts'
import { secretsOf } from './run/grounds/secrets.ts'
import { openExecutor } from './run/open-executor.ts'
import type { PlannedAttempt } from './run/plan/plan.ts'
import { planRun } from './run/plan/plan-run.ts'
import { requirePrompts } from './run/plan/prompt-sets.ts'
import { requireSound } from './run/plan/require-sound.ts'
import { requireRun } from './run/plan/resume.ts'
import { madeAgain } from './run/plan/retry.ts'
import { type LoadedReport, readReport, writeHtmlReport } from './run/report-run.ts'
import { requireWritable } from './run/require-writable.ts'
import { quiet, type RunSurroundings } from './run/run-surroundings.ts'
import { createServiceWatch, type FailedService } from './run/service-watch.ts'
import { readTasks } from './run/tasks/read-tasks.ts'
import { taskNotices } from './run/tasks/task-notices.ts'
import { addRecorded } from './run/watch/status.ts'
import { createTally } from './run/watch/tally.ts'
import { tellingProblems } from './run/watch/tell-problems.ts'

export type { RunSurroundings } from './run/run-surroundings.ts'

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
export async function executeRun(
  config: RunConfig,
  given: Partial<RunSurroundings> = {},
): Promise<RunSummary> {
  const surroundings = { ...quiet, ...given }
  if (config.resume) requireRun(config.out)
  const { queue } = config
  if (queue !== null) {
    if (surroundings.web !== null)
      throw new ConfigError('a web that is handed in stays in this process: leave --queue out')
    const { requireQueue } = await import('./run/queue/queue-executor.ts')
    await requireQueue({ ...config, queue })
  }
  const { planned, left, failedServices, lock } = await makeAttempts(config, surroundings)
  try {
    surroundings.tell({ type: 'recorded', attempts: planned - left })
    // Tasks and plan are let go of by now, so that the report of a large run has the memory to itself.
    const loaded = await readReport(config.out)
    lock.requireHeld()
    await writeHtmlReport(loaded, null)
    return { folder: config.out, report: loaded.report, records: loaded.records, left, failedServices }
  } finally {
    await lock.release()
  }
}

/** Gives how many attempts were planned and are left, and the run's lock, which is still held. */
async function makeAttempts(
  config: RunConfig,
  given: RunSurroundings,
): Promise<RunState & { readonly lock: FolderLock }> {
  const loaded = await loadTasks(config)
  const notice = (text: string): void => given.tell({ type: 'notice', text })
  for (const text of taskNotices(loaded, config.tasks)) notice(text)
  await requireSound(config, loaded.tasks)
  const missing = await checkDocuments(loaded.tasks, config)
  if (missing !== null) notice(missing)
  await requireWritable('--out', config.out)
  const lock = await lockRun(config.out)
  const surroundings = {
    ...given,
    stopping: AbortSignal.any([given.stopping, lock.lost]),
    cancelled: AbortSignal.any([given.cancelled, lock.lost]),
  }
  // Every attempt and every request under way listens to these.
  setMaxListeners(0, surroundings.stopping, surroundings.cancelled)
  try {
    for (const text of await repairRun(config.out)) notice(text)
    const { env, distractors, web, clock } = surroundings
    const grounds = await openGrounds({
      config,
      tasks: loaded.tasks,
      distractors,
      web,
      env,
      clock,
      signal: surroundings.cancelled,
      tell: notice,
    })
    try {
      requirePrompts(
        grounds.prompts,
        loaded.tasks.map(({ question }) => question),
      )
      return { ...(await runOn(grounds, config, loaded, surroundings, lock)), lock }
    } finally {
      await grounds.close()
    }
  } catch (error) {
    await lock.release()
    lock.lost.throwIfAborted()
    throw error
  }
}

/** The tasks that a run is to be made of. */
export async function loadTasks(config: RunConfig): Promise<ValidatedTasks> {
  const { tasks, skipped, problems } = await readTasks(config)
  const { filter } = config
  const wanted = tasks.filter(
    ({ question }) => filter === null || question.taskId.includes(filter) || question.domain.includes(filter),
  )
  if (wanted.length === 0)
    throw new ConfigError(`--filter ${filter}: none of ${tasks.length} tasks has it in its id or domain`)
  const json = wanted.find(task => task.gold.kind === 'json')
  if (json !== undefined && config.profile !== 'aoe')
    throw new ConfigError(
      `--profile ${config.profile}: is of tables; --benchmark ${config.benchmark} asks for JSON and has a scoring of its own`,
    )
  const chosen = wanted.slice(0, config.limit ?? wanted.length)
  const ids = new Set(chosen.map(({ question }) => question.taskId))
  const ofChosen = problems.filter(({ taskId }) => taskId !== null && ids.has(taskId))
  return { tasks: chosen, skipped, problems: ofChosen }
}

interface RunState {
  readonly planned: number
  /** Attempts of the plan that have no record, or one that is made again. */
  readonly left: number
  readonly failedServices: readonly FailedService[]
}

/** Makes what is missing. */
async function runOn(
  grounds: RunGrounds,
  config: RunConfig,
  loaded: LoadedTasks,
  given: RunSurroundings,
  lock: FolderLock,
): Promise<RunState> {
  const surroundings = { ...given, tell: tellingProblems(given.tell) }
  const earlier = await earlierManifest(config.out)
  const redactor = createRedactor(secretsOf(surroundings.env))
  const identity = redactor.value(await identityOf(config, loaded.tasks, grounds))
  if (earlier !== null) requireSameRun(config.out, earlier, identity)
  const planned = planRun(config, loaded.tasks, grounds)
  const { out, retry } = config
  const standing = await finishedAttempts(out, madeAgain(null))
  const kept = retry === null ? standing : await finishedAttempts(out, madeAgain(retry))
  const pending = unfinished(planned, kept)
  const manifest =
    earlier === null
      ? redactor.value(await manifestOf(grounds, identity, planned, loaded, surroundings))
      : await (pending.length === 0 ? earlier : goneOn(earlier))
  for (const text of grounds.notices) surroundings.tell({ type: 'notice', text })
  const finished = planned.length - pending.length
  surroundings.tell({ type: 'planned', folder: config.out, planned: planned.length, finished })

  const folder = await RunFolder.open(config.out, lock)
  try {
    // Its caps may have been raised and its concurrency changed since it began.
    const how = { concurrency: config.concurrency }
    const begun = { ...manifest, config: { ...manifest.config, ...how }, caps: allCaps(config) }
    await folder.writeManifest({ ...begun, endedAt: null })
    const tally = createTally(countBySetting(planned), config.queue === null ? config.concurrency : null)
    const failedBefore = new Map<string, string>()
    await addRecorded(tally, config.out, ({ attemptId, termination: { fatalService } }) => {
      if (fatalService === undefined) failedBefore.delete(attemptId)
      else failedBefore.set(attemptId, fatalService)
    })
    if (failedBefore.size > 0) surroundings.tell({ type: 'notice', text: madeAgainNotice(failedBefore) })
    const executor = await openExecutor(grounds, loaded, begun, surroundings)
    const services = createServiceWatch(
      new Set(planned.map(one => one.model)),
      systemClock,
      model => grounds.serviceFor(model).split(' at ')[1] ?? null,
    )
    const { tell } = surroundings
    let complete = false
    try {
      // Controls of the online setting are made of what its attempts left behind.
      const parts = [pending.filter(one => one.control === null), pending.filter(one => one.control !== null)]
      for (const part of parts.filter(part => part.length > 0)) {
        const context = { grounds, executor, folder, tally, services, tell, stopping: surroundings.stopping }
        for (const attemptId of await executeAll(part, context)) standing.add(attemptId)
      }
      complete = true
      for (const text of grounds.closingNotices()) surroundings.tell({ type: 'notice', text })
    } finally {
      await executor.close(complete)
    }
    await folder.putInOrder(planned.map(attempt => attempt.attemptId))
    const left = unfinished(planned, standing).length
    const endedAt = left === 0 ? new Date(systemClock.now()).toISOString() : null
    await folder.writeManifest({ ...withStoreUse(begun, grounds.storeUse()), endedAt })
    return { planned: planned.length, left, failedServices: services.failures() }
  } catch (error) {
    throw goneFolder(config.out, error) ?? error
  } finally {
    await folder.close()
  }
}

/** Says which earlier attempts the run makes again because a service failed them. */
function madeAgainNotice(failed: ReadonlyMap<string, string>): string {
  const services = [...new Set(failed.values())].join(' and ')
  const attempts = failed.size === 1 ? '1 attempt' : `${failed.size} attempts`
  return `${attempts} that failed because of ${services}: made again`
}

/** What a failure amounts to where the records are not there any more; null: the run's folder is where it was. */
function goneFolder(folder: string, error: unknown): RunError | null {
  if (existsSync(join(folder, 'attempts.jsonl'))) return null
  return new RunError(
    `${folder} was moved or deleted while its attempts were made: put it back, and the same command goes on`,
    { cause: error },
  )
}

function unfinished(planned: readonly PlannedAttempt[], finished: ReadonlySet<string>): PlannedAttempt[] {
  return planned.filter(attempt => !finished.has(attempt.attemptId))
}
