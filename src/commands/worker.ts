import { Option } from 'commander'
import { positive, redisUrl } from '../core/option-values.ts'
import { systemClock } from '../core/runtime.ts'
import { optionalParts, requirePackages } from '../system/optional-packages.ts'
import type { RegisterCommand } from './command.ts'
import { flagValue } from './flag-value.ts'
import { withPlugins } from './plugin-flag.ts'
import { tell } from './terminal.ts'

/** How long a worker that is stopped waits for a Redis server that does not answer. */
const goodbyeMs = 5_000

/** Registers `worker`. */
export const registerWorker: RegisterCommand = (command, setExitCode) => {
  withPlugins(command)
    .addOption(
      new Option('--queue <URL>', 'the address of the Redis server of the runs').makeOptionMandatory(),
    )
    .option('--concurrency <N>', 'how many attempts run at a time', '4')
    .option('--cache <DIR>', 'folder that keeps document texts and vectors; workers may share it')
    .action(async (flags: { queue: string; concurrency: string; cache?: string }) => {
      setExitCode(await workForTerminal(flags))
    })
}

async function workForTerminal(flags: {
  queue: string
  concurrency: string
  cache?: string
}): Promise<number> {
  const queue = flagValue('--queue', redisUrl, flags.queue)
  const concurrency = flagValue('--concurrency', positive, flags.concurrency)
  requirePackages(optionalParts.queue)
  const { runWorker } = await import('../run/queue/worker.ts')
  const { openCache } = await import('../run/open-run/open-cache.ts')
  const { listenForInterrupt } = await import('../run/interrupt.ts')
  const { loadTasks } = await import('../run/plan/load-tasks.ts')
  const cache = await openCache({ cache: flags.cache ?? null, env: process.env, tell })
  const interrupt = listenForInterrupt(systemClock, () =>
    tell(
      'stopping: running attempts have 10 s, then they return to the queue; press Ctrl-C again to return them now',
    ),
  )
  interrupt.cancelled.addEventListener('abort', () => {
    // Other workers notice the stop by themselves when Redis receives no message.
    setTimeout(() => process.exit(130), goodbyeMs).unref()
  })
  try {
    await runWorker({
      queue,
      concurrency,
      cache,
      env: process.env,
      loadTasks,
      tell,
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
    })
    return 130
  } finally {
    interrupt.dispose()
  }
}
