import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Setting } from '../../../agents/setting.ts'
import { hasContent } from '../../../logs/blobs.ts'
import { setTraceAside } from '../../../logs/earlier-traces.ts'
import { tracePath } from '../../../logs/writer.ts'
import { DataError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { sha256 } from '../../system/hash.ts'
import { syncFile } from '../../system/sync-files.ts'
import { type AttemptExecution, executeAttempt } from '../attempt/execute.ts'
import type { Executor } from '../attempt/executor.ts'
import { runCaps } from '../plan/caps.ts'
import { readEarlierSpending } from '../records/earlier-spending.ts'
import type { Programs } from '../records/manifest.ts'
import type { RunIdentity } from '../records/same-run.ts'
import { openCoordinator } from './coordinator.ts'
import { hashShipment } from './put-campaign.ts'
import { createSigner, readQueueSecret } from './queue-secret.ts'
import { probeRedis, queueError } from './redis.ts'
import type { AttemptResult } from './result.ts'
import { collectShipment, requireShippable, type ShippableOptions } from './shipment.ts'

/** Enough jobs on the queue for all workers, and few enough to be checked every two seconds. */
const jobsAtATime = 1_000

/** What an executor on a queue needs. */
export interface QueueExecutorInput {
  readonly runId: string
  readonly identity: RunIdentity
  readonly programs: Programs
  /** redis://… */
  readonly queue: string
  readonly env: NodeJS.ProcessEnv
  readonly tasks: readonly Task[]
  readonly distractors: string | null
  /** Makes the records of attempts that no worker could finish. Workers receive its options. */
  readonly execution: AttemptExecution
  readonly stopping: AbortSignal
  tell(line: string): void
}

const connectMs = 5_000

/**
 * Checks that workers can make a run, and that Redis answers.
 *
 * @throws ConfigError [not-with-queue, queue-unavailable] and what `readQueueSecret` throws
 */
export async function requireQueue(
  config: ShippableOptions & { readonly queue: string; readonly queueSecret: string | null },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  requireShippable(config)
  await readQueueSecret(config.queueSecret, { queue: config.queue, env })
  const probe = await probeRedis(config.queue, connectMs)
  if ('version' in probe) return
  throw queueError(config.queue, probe.problem)
}

/**
 * Opens an executor whose attempts are made by the workers on a queue.
 *
 * @throws ConfigError [unreadable-input, unreadable-shipment] RunError [queue-refuses-writes]
 */
export async function openQueueExecutor(input: QueueExecutorInput): Promise<Executor> {
  const { runId, identity, programs, execution } = input
  const { options: config } = execution
  const shipment = await collectShipment(config, input.tasks, input.distractors)
  const caps = runCaps(config)
  const isCapped = Object.keys(caps).length > 0
  const coordinator = await openCoordinator({
    queue: input.queue,
    signer: createSigner(await readQueueSecret(config.queueSecret, input)),
    campaign: await hashShipment(shipment, {
      runId,
      identity,
      plugins: execution.resources.plugins.map(({ name, hash }) => ({ name, hash })),
      programs,
    }),
    caps,
    recorded: async () =>
      isCapped ? await readEarlierSpending(config) : { tokens: 0, usd: 0, searchCalls: 0 },
    tell: input.tell,
    stopping: input.stopping,
    cancelled: execution.cancelled,
  })
  return {
    concurrency: jobsAtATime,
    async execute(planned, started) {
      const outcome = await coordinator.make(planned.attemptId, started)
      if (outcome.kind === 'withdrawn') return null
      if (outcome.kind === 'crashed')
        return await executeAttempt({ ...execution, planned, setting: makeCrashing(outcome.reason) })
      await keepTrace(config.out, outcome.result)
      const { trace: _trace, blobs: _blobs, ...executed } = outcome.result
      return executed
    },
    recorded: attemptId => coordinator.recorded(attemptId),
    withdraw: isNamed => coordinator.withdraw(isNamed),
    close: complete => coordinator.close(complete),
  }
}

/** Returns a setting that fails: an attempt that no worker could finish is recorded as a crash. */
function makeCrashing(reason: string): Setting {
  return {
    source: 'memory',
    summary: reason,
    run: async () => {
      throw new Error(reason)
    },
  }
}

/** Writes the trace of an attempt that a worker made, and its texts, into the run's folder. */
async function keepTrace(folder: string, { attempt, trace, blobs }: AttemptResult): Promise<void> {
  for (const [hash, text] of Object.entries(blobs)) {
    const path = join(folder, 'traces', 'blobs', hash)
    if (hasContent(path, text)) {
      // A coordinator that died may have written it without syncing it.
      await syncFile(path)
      continue
    }
    if (sha256(text) !== hash)
      throw new DataError(
        `${attempt.attemptId}: a text of its trace was damaged on its way from the worker. Run the same command again.`,
        { code: 'damaged-result' },
      )
    await writeFileDurably(path, text)
  }
  const path = tracePath(folder, attempt.attemptId)
  // A coordinator that died before the attempt was recorded has written the trace already.
  if ((await readFile(path, 'utf8').catch(() => null)) === trace) return
  setTraceAside(folder, attempt.attemptId)
  await writeFileDurably(path, trace)
}
