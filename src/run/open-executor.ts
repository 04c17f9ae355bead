import type { LoadedTasks } from '../core/task.ts'
import { type Executor, localExecutor } from './attempt/executor.ts'
import { createMeasurer } from './measure/measurer.ts'
import type { QueueExecutorInput } from './queue/queue-executor.ts'
import type { RunResources } from './resources/run-resources.ts'
import type { RunHooks } from './run-hooks.ts'

/** Attempts are made here, or by the workers on --queue. */
export async function openExecutor(
  resources: RunResources,
  { tasks }: LoadedTasks,
  { runId, identity, programs }: Pick<QueueExecutorInput, 'runId' | 'identity' | 'programs'>,
  { tell, distractors, env, stopping, cancelled }: RunHooks,
): Promise<Executor> {
  const { config } = resources
  if (config.queue === null) return localExecutor(resources, createMeasurer(), config.concurrency, cancelled)
  const { openQueueExecutor } = await import('./queue/queue-executor.ts')
  return await openQueueExecutor({
    queue: config.queue,
    runId,
    config,
    identity,
    programs,
    tasks,
    distractors,
    resources,
    env,
    stopping,
    cancelled,
    tell: text => tell({ type: 'notice', text }),
  })
}
