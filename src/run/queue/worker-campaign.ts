import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { settings } from '../../../agents/registry.ts'
import { createRedactor } from '../../../logs/redact.ts'
import { tracePath } from '../../../logs/writer.ts'
import { type RunConfig, runOptions } from '../../config.ts'
import { RunError } from '../../core/errors.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import type { LoadedTasks } from '../../core/task.ts'
import { listLoadedPlugins } from '../../plugins/load-plugins.ts'
import { makeFolder } from '../../system/files.ts'
import { executeAttempt } from '../attempt/execute.ts'
import { createMeasures } from '../attempt/measure-attempt.ts'
import { type Gates, openGates } from '../open-run/gates.ts'
import { identifyRun } from '../open-run/identity.ts'
import { openResources, type RunResources } from '../open-run/open-resources.ts'
import { findPrograms, listOtherPrograms } from '../open-run/programs.ts'
import { pickAttemptCaps, runCaps } from '../plan/caps.ts'
import { loadTasks } from '../plan/load-tasks.ts'
import { planRun } from '../plan/plan-run.ts'
import { shippedOptions } from '../plan/shipped-options.ts'
import type { Programs } from '../records/manifest.ts'
import { listDifferences } from '../records/same-run.ts'
import { requireAccepted, type WorkerPermissions } from './accept-campaign.ts'
import type { Campaign } from './campaign.ts'
import { nameCampaignKeys } from './keys.ts'
import { placeFiles } from './place-files.ts'
import type { AttemptResult, SentTrace } from './result.ts'
import { makeSharedBudget, type SharedBudget } from './shared-budget.ts'
import type { SharedPauses } from './shared-pauses.ts'
import { withShipmentFolder } from './shipment.ts'

/** How the operator has started a worker. */
export interface WorkerSetup {
  readonly permissions: WorkerPermissions
  /** Where this worker's secret is, as `variable:NAME` or `file:PATH`; null: it has none. Isolated agents do not see the file. */
  readonly queueSecretSource: string | null
  readonly concurrency: number
  /** The folder of document texts, vectors and shipped files. Workers may share it. */
  readonly cache: string
  readonly env: NodeJS.ProcessEnv
  tell(line: string): void
}

/** What opening a campaign on a worker needs. */
export interface CampaignToOpen extends WorkerSetup {
  readonly campaign: Campaign
  readonly redis: Redis
  readonly workerId: string
  readonly pauses: SharedPauses
  /** A folder of this worker alone. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** An open campaign on a worker. */
export interface OpenCampaign {
  /** Makes an attempt. Returns null for an unknown id. */
  make(attemptId: string, signal: AbortSignal): Promise<AttemptResult | null>
  close(): Promise<void>
}

/**
 * Opens a campaign: puts its files in place and opens its resources.
 *
 * @throws RunError [worker-lacks-plugin, worker-plugin-differs, worker-differs], what `requireAccepted` throws, and what `openResources` throws, such as
 * for a missing key: this machine cannot make the campaign's attempts
 */
export async function openCampaign(input: CampaignToOpen): Promise<OpenCampaign> {
  const { campaign, redis, folder } = input
  const plugins = requirePlugins(campaign.plugins)
  await requireAccepted(campaign.config, input.permissions)
  await rm(folder, { recursive: true, force: true })
  const clock: Clock = systemClock
  const store = join(input.cache, 'queue', 'files')
  const files = join(folder, 'files')
  await placeFiles({ redis, campaign, store, folder: files, clock, signal: input.signal, tell: input.tell })
  const config = { ...resolveCampaignConfig(input, files), plugins }
  const { tasks } = await loadTasks(config)
  const gates = openGates({ ...config, concurrency: input.concurrency }, input.pauses)
  const stopHeeding = await input.pauses.heed(gates)
  const resources = await openSameResources(input, { config, tasks, files, gates })
  await tellOtherPrograms(input, await findPrograms(config, input.env))
  const planned = new Map(planRun(config, tasks, resources).map(attempt => [attempt.attemptId, attempt]))
  const budget = makeSharedBudget(redis, campaign.runId, clock, input.tell)
  const measures = createMeasures(config)
  return {
    async make(attemptId, signal) {
      const attempt = planned.get(attemptId)
      if (attempt === undefined) return null
      const scratch = join(folder, 'attempts', attemptId)
      await makeFolder(join(scratch, 'traces'))
      try {
        const share = budget.forAttempt(attemptId, runCaps(config))
        const executed = await executeAttempt({
          planned: attempt,
          setting: settings.get(attempt.setting),
          options: config,
          measures,
          resources: pickResources({ config, resources, scratch, share }),
          cancelled: signal,
        })
        return { ...executed, ...(await traceAt(scratch, attemptId)) }
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
    async close() {
      stopHeeding()
      await resources.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Opens the resources, and refuses a machine on which results would differ from the coordinator's. */
async function openSameResources(
  { campaign, env, signal, tell }: CampaignToOpen,
  opened: {
    readonly config: RunConfig
    readonly tasks: LoadedTasks['tasks']
    readonly files: string
    readonly gates: Gates
  },
): Promise<RunResources> {
  const { config, tasks, files, gates } = opened
  const distractors = campaign.distractors === null ? null : withShipmentFolder(campaign.distractors, files)
  const resources = await openResources({ config, tasks, distractors, env, signal, tell, gates })
  try {
    const identity = await identifyRun(config, tasks, resources)
    requireSameFindings(campaign, createRedactor([]).value(identity))
    return resources
  } catch (error) {
    await resources.close()
    throw error
  }
}

/**
 * The files of the run's plug-ins on this machine.
 * @throws RunError [worker-lacks-plugin, worker-plugin-differs]
 */
function requirePlugins(requiredPlugins: Campaign['plugins']): string[] {
  return requiredPlugins.map(({ name, hash }) => {
    const loadedPlugin = listLoadedPlugins().find(plugin => plugin.name === name)
    if (loadedPlugin === undefined)
      throw new RunError(
        `this worker lacks the run's plug-in '${name}'. Start the worker with --allow-plugin FILE|PACKAGE.`,
        { code: 'worker-lacks-plugin' },
      )
    if (loadedPlugin.hash !== hash)
      throw new RunError(
        `this worker's plug-in '${name}' differs from the run's (hash ${loadedPlugin.hash.slice(0, 12)}, not ${hash.slice(0, 12)}). Give the worker the same files.`,
        { code: 'worker-plugin-differs' },
      )
    return loadedPlugin.file
  })
}

/** Returns the options that the coordinator resolved, with the worker's own folders and secret. */
function resolveCampaignConfig(
  { campaign, cache, folder, queueSecretSource }: CampaignToOpen,
  files: string,
): RunConfig {
  const workerOptions = { out: join(folder, 'run'), cache, queueSecret: queueSecretSource }
  const config = { ...withShipmentFolder(campaign.config, files), ...workerOptions }
  const unknown = Object.keys(runOptions).filter(name => !(name in config))
  if (unknown.length > 0) throw new Error(`the options ${unknown.join(', ')} are missing in the campaign`)
  return config as unknown as RunConfig
}

/** Returns the resources of one attempt: it writes to a scratch folder and reserves from the shared budget. */
function pickResources({
  config,
  resources,
  scratch,
  share,
}: {
  readonly config: RunConfig
  readonly resources: RunResources
  readonly scratch: string
  readonly share: ReturnType<SharedBudget['forAttempt']>
}): RunResources {
  return {
    ...resources,
    ...resources.writingTo(scratch),
    allot: (setting, model, signal) =>
      share.take(pickAttemptCaps(config, setting), resources.maxSpendingOf(setting, model), signal),
  }
}

/** Reads the trace of an attempt and its stored texts. */
async function traceAt(scratch: string, attemptId: string): Promise<SentTrace> {
  const folder = join(scratch, 'traces', 'blobs')
  const blobs: Record<string, string> = {}
  for (const hash of await readdir(folder)) blobs[hash] = await readFile(join(folder, hash), 'utf8')
  return { trace: await readFile(tracePath(scratch, attemptId), 'utf8'), blobs }
}

/** Compares identities. Options that name files are left out: paths differ, and hashes are compared. */
function requireSameFindings(campaign: Campaign, here: Readonly<Record<string, unknown>>): void {
  const compared = (identity: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.keys(campaign.identity)
        .filter(name => !(name in shippedOptions))
        .map(name => [name, identity[name]]),
    )
  const differences = listDifferences('', compared(campaign.identity), compared(here))
  if (differences.length === 0) return
  throw new RunError(
    `this machine differs from the coordinator's (${differences.join('; ')}). Use the same programs and settings on both (tablehunt info doctor).`,
    { code: 'worker-differs' },
  )
}

/** Reports other versions of programs. This is no error, because they change few attempts. */
async function tellOtherPrograms(
  { campaign, redis, workerId, tell }: CampaignToOpen,
  here: Programs,
): Promise<void> {
  const differences = listOtherPrograms(here, campaign.programs, 'the coordinator has')
  if (differences.length === 0) return
  const line = `worker ${workerId} uses other programs, which may change results (${differences.join('; ')})`
  tell(line)
  await redis.publish(nameCampaignKeys(campaign.runId).notices, line)
}
