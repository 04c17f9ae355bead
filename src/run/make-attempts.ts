import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../agents/registry.ts'
import { readRecordedDate } from '../../tools/web/recording.ts'
import type { RunConfig } from '../config.ts'
import { attemptSchema } from '../core/attempt.ts'
import { RunError } from '../core/errors.ts'
import { formatFlag } from '../core/option-spec.ts'
import { type Clock, systemClock } from '../core/runtime.ts'
import type { LoadedTasks } from '../core/task.ts'
import { formatCount } from '../score/explain/wording.ts'
import { requireWritable } from '../system/files.ts'
import type { FolderLock } from '../system/folder-lock.ts'
import { canonicalJson } from '../system/hash.ts'
import { type AttemptRecording, executeAll } from './attempt/execute-all.ts'
import { type Executor, makeLocalExecutor } from './attempt/executor.ts'
import { createMeasures } from './attempt/measure-attempt.ts'
import { type FailedService, ServiceWatch } from './attempt/service-watch.ts'
import { type BegunRun, beginRun, type RunToBegin } from './begin-run.ts'
import { readStopCause } from './interrupt.ts'
import { checkDocuments } from './open-run/documents.ts'
import { openResources } from './open-run/open-resources.ts'
import { checkOptions } from './plan/check-options.ts'
import { loadTasks } from './plan/load-tasks.ts'
import type { PlannedAttempt } from './plan/plan.ts'
import { requirePrompts } from './plan/prompt-sets.ts'
import { listTaskNotices } from './plan/task-notices.ts'
import type { RunEvent } from './progress/progress.ts'
import { addRecorded } from './progress/status.ts'
import { Tally } from './progress/tally.ts'
import { readRecords } from './records/json-lines.ts'
import { lockRun } from './records/lock.ts'
import { findEarlierRun } from './records/manifest-file.ts'
import { countBySetting } from './records/new-manifest.ts'
import { repairRun } from './records/repair.ts'
import { RunFolder } from './records/run-folder.ts'
import type { RunHooks } from './run-hooks.ts'

/** Options of a setting that other settings use as well: the sealed web, and the controls of online. */
const sharedOptions = new Set(['controls', 'cut', 'tableFormat'])

/** Built-in models that send no requests. */
const localModels = new Set(['extractive', 'scripted'])

/** Returns a notice about each kind of given option that has no effect in this run. A resumed run gets none, because it got them when it began. */
export function listUnusedOptionNotices(config: Readonly<RunConfig>): string[] {
  return config.resume ? [] : [...listUnusedSettingOptions(config), ...listUnusedRequestFields(config)]
}

function listUnusedSettingOptions(config: Readonly<RunConfig>): string[] {
  const usedNames = new Set(config.setting.flatMap(name => Object.keys(settings.get(name).options ?? {})))
  const values = config as Readonly<Record<string, unknown>>
  const flagsOf = new Map<string, string[]>()
  for (const [setting, { options = {} }] of settings.entries())
    for (const [name, { schema }] of Object.entries(options)) {
      if (usedNames.has(name) || sharedOptions.has(name)) continue
      const normal = schema.safeParse(undefined).data ?? null
      if (canonicalJson(values[name] ?? null) === canonicalJson(normal)) continue
      flagsOf.set(formatFlag(name), [...(flagsOf.get(formatFlag(name)) ?? []), setting])
    }
  if (flagsOf.size === 0) return []
  const named = [...flagsOf].map(([flag, users]) => `${flag} (${users.join(', ')})`)
  return [
    `options without effect: ${named.join(', ')}. No setting of this run uses them. Add one that does to --setting, or leave them out.`,
  ]
}

function listUnusedRequestFields({ model, requestField }: Readonly<RunConfig>): string[] {
  if (requestField.length === 0) return []
  const local = [...new Set(model.map(name => name.replace(/:.*$/s, '')))].filter(name =>
    localModels.has(name),
  )
  if (local.length === 0) return []
  return [
    `--request-field has no effect on ${local.join(' and ')}, which sends no requests. Its records name the fields all the same. Leave them out, or choose a language model with --model.`,
  ]
}

/**
 * Returns the date that the agent's prompt states, such as `2026-11-23`: the one of --date, else that of the run to resume, else
 * the day of its first attempt when its manifest is lost, else that of the recording to replay, else today (UTC). The requests of a resumed or replayed run therefore stay the same.
 */
export async function readRunDate(
  { date, out, web }: { readonly date: string | null; readonly out: string; readonly web: string },
  clock: Clock,
): Promise<string> {
  if (date !== null) return date
  const earlier = await findEarlierRun(out)
  if (earlier.kind === 'run' && typeof earlier.manifest.config.date === 'string')
    return earlier.manifest.config.date
  if (earlier.kind === 'manifest-lost') return await readFirstAttemptDate(out)
  const recorded = web.startsWith('replay:') ? await readRecordedDate(web.slice('replay:'.length)) : null
  return recorded ?? new Date(clock.now()).toISOString().slice(0, 10)
}

const startSchema = attemptSchema.pick({ startedAt: true })

async function readFirstAttemptDate(folder: string): Promise<string> {
  const starts = await readRecords(join(folder, 'attempts.jsonl'), startSchema)
  const [first] = starts.map(({ startedAt }) => startedAt).sort()
  return first!.slice(0, 10)
}

/** The state of a run after this process has stopped making attempts. */
export interface RunState {
  readonly planned: number
  /** Planned attempts without a record, or with one that is made again. */
  readonly left: number
  readonly failedServices: readonly FailedService[]
}

/** Makes the missing attempts of a run. Returns its state, and its lock, which the caller releases. */
export async function makeAttempts(
  config: RunConfig,
  callerHooks: RunHooks,
): Promise<RunState & { readonly lock: FolderLock }> {
  const notice = (text: string): void => callerHooks.tell({ type: 'notice', text })
  const loaded = await loadTasks(config)
  for (const text of [...listTaskNotices(loaded, config.tasks), ...listUnusedOptionNotices(config)])
    notice(text)
  await checkOptions(config, loaded.tasks)
  const missing = await checkDocuments(loaded.tasks, config)
  if (missing !== null) notice(missing)
  await requireWritable('--out', config.out)
  const lock = await lockRun(config.out)
  const hooks = {
    ...callerHooks,
    tell: reportDocumentProblems(callerHooks.tell),
    stopping: AbortSignal.any([callerHooks.stopping, lock.lost]),
    cancelled: AbortSignal.any([callerHooks.cancelled, lock.lost]),
  }
  // Every running attempt and request listens to these.
  setMaxListeners(0, hooks.stopping, hooks.cancelled)
  try {
    for (const text of await repairRun(config.out)) notice(text)
    return { ...(await withResources(config, loaded, hooks, lock)), lock }
  } catch (error) {
    await lock.release()
    lock.lost.throwIfAborted()
    throw error
  }
}

async function withResources(
  options: RunConfig,
  loaded: LoadedTasks,
  hooks: RunHooks,
  lock: FolderLock,
): Promise<RunState> {
  const { env, distractors, web, clock } = hooks
  const config = { ...options, date: await readRunDate(options, clock ?? systemClock) }
  const resources = await openResources({
    config,
    tasks: loaded.tasks,
    distractors,
    web,
    env,
    clock,
    signal: hooks.cancelled,
    tell: text => hooks.tell({ type: 'notice', text }),
  })
  try {
    requirePrompts(
      resources.prompts,
      loaded.tasks.map(({ question }) => question),
      config,
    )
    return await recordAttempts({ config, loaded, resources, hooks, lock })
  } finally {
    await resources.close()
  }
}

interface OpenRun extends RunToBegin {
  readonly lock: FolderLock
}

/** Makes the missing attempts and records each when it ends. */
async function recordAttempts(open: OpenRun): Promise<RunState> {
  const { config, resources, hooks, lock } = open
  const begun = await beginRun(open)
  const { planned, pending, standing } = begun
  for (const text of resources.notices) hooks.tell({ type: 'notice', text })
  const finished = planned.length - pending.length
  hooks.tell({ type: 'planned', folder: config.out, planned: planned.length, finished })
  const folder = await RunFolder.open(config.out, { lock, blobs: resources.blobs })
  try {
    const { stopped: _earlier, ...manifest } = begun.manifest
    await folder.writeManifest({ ...manifest, endedAt: null })
    const tally = await openTally(begun, config, hooks)
    const models = new Set(planned.map(({ model }) => model))
    const services = new ServiceWatch(models, systemClock, resources.serverFor)
    for (const attemptId of await makePending(open, begun, { folder, tally, services }))
      standing.add(attemptId)
    const { notices, lostAttempts } = await folder.putInOrder(planned.map(attempt => attempt.attemptId))
    for (const text of notices) hooks.tell({ type: 'notice', text })
    for (const attemptId of lostAttempts) standing.delete(attemptId)
    const left = planned.filter(attempt => !standing.has(attempt.attemptId)).length
    const at = new Date(systemClock.now()).toISOString()
    const isStopped = left > 0 && hooks.stopping.aborted
    await folder.writeManifest({
      ...manifest,
      endedAt: left === 0 ? at : null,
      ...(isStopped ? { stopped: { by: readStopCause(hooks.stopping), at } } : {}),
    })
    return { planned: planned.length, left, failedServices: services.failures() }
  } catch (error) {
    throw makeMovedFolderError(config.out, error) ?? error
  } finally {
    await folder.close()
  }
}

/** Makes the pending attempts. Returns the ids of those that need not be made again. */
async function makePending(open: OpenRun, begun: BegunRun, recording: AttemptRecording): Promise<string[]> {
  const { config, resources, hooks } = open
  const { tell, stopping } = hooks
  const executor = await openExecutor(open, begun)
  const finished: string[] = []
  let complete = false
  try {
    // Controls of the online setting need the records of its attempts.
    const isControl = ({ control }: PlannedAttempt): boolean => control !== null
    const parts = [begun.pending.filter(attempt => !isControl(attempt)), begun.pending.filter(isControl)]
    const context = { ...recording, resources, trials: config.trials, executor, tell, stopping }
    for (const part of parts.filter(part => part.length > 0))
      finished.push(...(await executeAll(part, context)))
    complete = true
    for (const text of resources.closingNotices()) tell({ type: 'notice', text })
  } finally {
    await executor.close(complete)
  }
  return finished
}

/** Opens an executor that makes attempts in this process, or on the workers of --queue. */
async function openExecutor(
  { config, loaded: { tasks }, resources, hooks }: OpenRun,
  { manifest: { runId }, identity, programs }: BegunRun,
): Promise<Executor> {
  const { tell, distractors, stopping, cancelled, env } = hooks
  const { queue, concurrency } = config
  const execution = { options: config, resources, measures: createMeasures(config), cancelled }
  if (queue === null) return makeLocalExecutor(execution, concurrency)
  const { openQueueExecutor } = await import('./queue/queue-executor.ts')
  return await openQueueExecutor({
    queue,
    env,
    tasks,
    distractors,
    execution,
    stopping,
    runId,
    identity,
    programs,
    tell: text => tell({ type: 'notice', text }),
  })
}

/** Counts the recorded attempts, and reports those that are made again because a service had failed. */
async function openTally(
  { planned }: BegunRun,
  { out, queue, concurrency }: RunConfig,
  { tell }: RunHooks,
): Promise<Tally> {
  const tally = new Tally(countBySetting(planned), queue === null ? concurrency : null)
  const failed = new Map<string, string>()
  await addRecorded(tally, out, {
    visit({ attemptId, termination: { fatalService } }) {
      if (fatalService === undefined) failed.delete(attemptId)
      else failed.set(attemptId, fatalService)
    },
  })
  if (failed.size > 0) tell({ type: 'notice', text: writeRerunNotice(failed) })
  return tally
}

function writeRerunNotice(failed: ReadonlyMap<string, string>): string {
  const services = [...new Set(failed.values())].join(' and ')
  return `${formatCount(failed.size, 'attempt')} that failed because of ${services}: made again`
}

/** Returns the error for a run's folder that was moved or deleted; null when the folder is in its place. */
function makeMovedFolderError(folder: string, error: unknown): RunError | null {
  if (existsSync(join(folder, 'attempts.jsonl'))) return null
  return new RunError(
    `${folder} was moved or deleted during the run. Put it back, then run the same command again.`,
    { cause: error, code: 'folder-gone' },
  )
}

type Tell = (event: RunEvent) => void

/**
 * Reports each document with a problem once, when the first attempt that received it ends. Missing documents are reported
 * before the run.
 */
function reportDocumentProblems(tell: Tell): Tell {
  const reportedHints = new Set<string>()
  return event => {
    if (event.type === 'attempt-ended') {
      for (const { hint, problem } of event.attempt.context?.documents ?? []) {
        if (problem === null || problem.startsWith('missing:') || reportedHints.has(hint)) continue
        reportedHints.add(hint)
        tell({ type: 'notice', text: `documents: ${hint}: ${problem}` })
      }
    }
    tell(event)
  }
}
