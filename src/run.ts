import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor } from '../logs/redact.ts'
import type { ValidatedTasks } from '../tasks/validate/validate-tasks.ts'
import type { RunConfig } from './config.ts'
import { ConfigError, RunError } from './core/errors.ts'
import type { FolderLock } from './core/folder-lock.ts'
import { requireWritable } from './core/require-writable.ts'
import { systemClock } from './core/runtime.ts'
import type { LoadedTasks } from './core/task.ts'
import type { Report } from './report/model/report.ts'
import { executeAll } from './run/attempt/execute-all.ts'
import { createServiceWatch, type FailedService } from './run/attempt/service-watch.ts'
import { openExecutor } from './run/open-executor.ts'
import { allCaps } from './run/plan/caps.ts'
import { chooseScorers } from './run/plan/choose-scorers.ts'
import type { PlannedAttempt } from './run/plan/plan.ts'
import { planRun } from './run/plan/plan-run.ts'
import { requirePrompts } from './run/plan/prompt-sets.ts'
import { readTasks } from './run/plan/read-tasks.ts'
import { requireSound } from './run/plan/require-sound.ts'
import { shouldRerun } from './run/plan/retry.ts'
import { taskNotices } from './run/plan/task-notices.ts'
import { lockRun } from './run/records/lock.ts'
import { countBySetting, manifestForResume, manifestOf, withStoreUse } from './run/records/new-manifest.ts'
import { repairRun } from './run/records/repair.ts'
import { requireRun } from './run/records/resume.ts'
import { earlierManifest, finishedAttempts, RunFolder } from './run/records/run-folder.ts'
import { requireSameRun } from './run/records/same-run.ts'
import { type LoadedReport, readReport, writeHtmlReport } from './run/report-run.ts'
import { checkDocuments } from './run/resources/documents.ts'
import { identityOf } from './run/resources/identity.ts'
import { otherPrograms, programsOf } from './run/resources/programs.ts'
import { openResources, type RunResources } from './run/resources/run-resources.ts'
import { secretsOf } from './run/resources/secrets.ts'
import { quietHooks, type RunHooks } from './run/run-hooks.ts'
import { addRecorded } from './run/watch/status.ts'
import { createTally } from './run/watch/tally.ts'
import { tellingProblems } from './run/watch/tell-problems.ts'
import { metricsOfScorers } from './score/registry.ts'

export type { RunHooks } from './run/run-hooks.ts'

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

/** Gives how many attempts were planned and are left, and the run's lock, which is still held. */
async function makeAttempts(
  config: RunConfig,
  given: RunHooks,
): Promise<RunState & { readonly lock: FolderLock }> {
  const loaded = await loadTasks(config)
  const notice = (text: string): void => given.tell({ type: 'notice', text })
  for (const text of taskNotices(loaded, config.tasks)) notice(text)
  await requireSound(config, loaded.tasks)
  const missing = await checkDocuments(loaded.tasks, config)
  if (missing !== null) notice(missing)
  await requireWritable('--out', config.out)
  const lock = await lockRun(config.out)
  const hooks = {
    ...given,
    stopping: AbortSignal.any([given.stopping, lock.lost]),
    cancelled: AbortSignal.any([given.cancelled, lock.lost]),
  }
  // Every attempt and every request under way listens to these.
  setMaxListeners(0, hooks.stopping, hooks.cancelled)
  try {
    for (const text of await repairRun(config.out)) notice(text)
    const { env, distractors, web, clock } = hooks
    const resources = await openResources({
      config,
      tasks: loaded.tasks,
      distractors,
      web,
      env,
      clock,
      signal: hooks.cancelled,
      tell: notice,
    })
    try {
      requirePrompts(
        resources.prompts,
        loaded.tasks.map(({ question }) => question),
        config.setting,
      )
      return { ...(await runOn(resources, config, loaded, hooks, lock)), lock }
    } finally {
      await resources.close()
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
  chooseScorers(config, wanted)
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
  resources: RunResources,
  config: RunConfig,
  loaded: LoadedTasks,
  given: RunHooks,
  lock: FolderLock,
): Promise<RunState> {
  const hooks = { ...given, tell: tellingProblems(given.tell) }
  const earlier = await earlierManifest(config.out)
  const redactor = createRedactor(secretsOf(hooks.env))
  const identity = redactor.value(await identityOf(config, loaded.tasks, resources))
  if (earlier !== null) requireSameRun(config.out, earlier, identity, config.tasks)
  const planned = planRun(config, loaded.tasks, resources)
  const { out, retry } = config
  const standing = await finishedAttempts(out, shouldRerun(null))
  const kept = retry === null ? standing : await finishedAttempts(out, shouldRerun(retry))
  const pending = unfinished(planned, kept)
  const programs = await programsOf(config.setting.includes('online') ? config.browser : 'off', hooks.env)
  const manifest =
    earlier === null
      ? redactor.value(
          manifestOf({
            config: resources.config,
            web: resources.web,
            identity,
            plugins: resources.plugins,
            programs,
            planned,
            loaded,
            command: hooks.command,
          }),
        )
      : pending.length === 0
        ? earlier
        : manifestForResume(earlier, programs)
  const others = pending.length === 0 ? [] : otherPrograms(programs, earlier?.programs ?? {}, 'it began with')
  if (others.length > 0)
    hooks.tell({
      type: 'notice',
      text: `the run goes on with other programs (${others.join('; ')}): attempts may differ by that`,
    })
  for (const text of resources.notices) hooks.tell({ type: 'notice', text })
  const finished = planned.length - pending.length
  hooks.tell({ type: 'planned', folder: config.out, planned: planned.length, finished })

  const folder = await RunFolder.open(config.out, lock)
  try {
    // Its caps may have been raised and its concurrency changed since it began.
    const how = { concurrency: config.concurrency }
    const begun = {
      ...manifest,
      config: { ...manifest.config, ...how },
      caps: allCaps(config),
      scorers: { ...manifest.scorers, ...metricsOfScorers(resources.scorers) },
    }
    await folder.writeManifest({ ...begun, endedAt: null })
    const tally = createTally(countBySetting(planned), config.queue === null ? config.concurrency : null)
    const failedBefore = new Map<string, string>()
    await addRecorded(tally, config.out, ({ attemptId, termination: { fatalService } }) => {
      if (fatalService === undefined) failedBefore.delete(attemptId)
      else failedBefore.set(attemptId, fatalService)
    })
    if (failedBefore.size > 0) hooks.tell({ type: 'notice', text: rerunNotice(failedBefore) })
    const executor = await openExecutor(resources, loaded, { runId: begun.runId, identity, programs }, hooks)
    const services = createServiceWatch(
      new Set(planned.map(one => one.model)),
      systemClock,
      model => resources.serviceFor(model).split(' at ')[1] ?? null,
    )
    const { tell } = hooks
    let complete = false
    try {
      // Controls of the online setting are made of what its attempts left behind.
      const parts = [pending.filter(one => one.control === null), pending.filter(one => one.control !== null)]
      for (const part of parts.filter(part => part.length > 0)) {
        const context = {
          resources,
          executor,
          folder,
          tally,
          services,
          tell,
          stopping: hooks.stopping,
        }
        for (const attemptId of await executeAll(part, context)) standing.add(attemptId)
      }
      complete = true
      for (const text of resources.closingNotices()) hooks.tell({ type: 'notice', text })
    } finally {
      await executor.close(complete)
    }
    await folder.putInOrder(planned.map(attempt => attempt.attemptId))
    const left = unfinished(planned, standing).length
    const endedAt = left === 0 ? new Date(systemClock.now()).toISOString() : null
    await folder.writeManifest({ ...withStoreUse(begun, resources.storeUse()), endedAt })
    return { planned: planned.length, left, failedServices: services.failures() }
  } catch (error) {
    throw goneFolder(config.out, error) ?? error
  } finally {
    await folder.close()
  }
}

/** Says which earlier attempts the run makes again because a service failed them. */
function rerunNotice(failed: ReadonlyMap<string, string>): string {
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
