import type { RunConfig } from '../config.ts'
import type { Task } from '../core/task.ts'
import { type Executor, localExecutor } from './attempt/executor.ts'
import { createMeasurer } from './measure/measurer.ts'
import type { QueuedRun } from './queue/queue-executor.ts'
import type { RunResources } from './resources/run-resources.ts'
import type { RunHooks } from './run-hooks.ts'

/** What the attempts of a run need. */
export interface ExecutorInput {
  /** All options: attempts need some, workers receive all. */
  readonly config: RunConfig
  readonly tasks: readonly Task[]
  readonly resources: RunResources
  readonly hooks: RunHooks
  readonly run: QueuedRun
}

/** Opens an executor that makes attempts in this process, or on the workers of --queue. */
export async function openExecutor({
  config,
  tasks,
  resources,
  hooks,
  run,
}: ExecutorInput): Promise<Executor> {
  const { tell, distractors, stopping, cancelled } = hooks
  const { queue, concurrency } = config
  const execution = { options: config, resources, measurer: createMeasurer(config), cancelled }
  if (queue === null) return localExecutor(execution, concurrency)
  const { openQueueExecutor } = await import('./queue/queue-executor.ts')
  return await openQueueExecutor({
    ...{ queue, config, tasks, distractors, execution, stopping },
    ...run,
    tell: text => tell({ type: 'notice', text }),
  })
}
