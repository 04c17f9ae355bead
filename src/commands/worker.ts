import { Option } from 'commander'
import { httpUrl, positive, redisUrl, secretSource, text } from '../core/option-values.ts'
import { systemClock } from '../core/runtime.ts'
import { optionalParts, requirePackages } from '../system/optional-packages.ts'
import type { RegisterCommand } from './command.ts'
import { readFlagValue } from './flag-value.ts'
import { withPlugins } from './plugin-flag.ts'
import { createRepeatable } from './repeated-flags.ts'
import { tell } from './terminal.ts'

/** What `--allow-agent` takes: the command line of an agent, an image, or `isolate:none`. */
const commandLine = text.refine(
  input => /^(?:command:\s*|container:)\S|^isolate:none$/.test(input),
  "a command line as in --agent, such as 'command: python3 agent.py', an image as in --isolate, or isolate:none",
)

/** How long a worker that is stopped waits for a Redis server that does not answer. */
const goodbyeMs = 5_000

/** Registers `worker`. */
export const registerWorker: RegisterCommand = (command, setExitCode) => {
  withPlugins(command, '--allow-plugin')
    .addOption(
      new Option('--queue <URL>', 'the address of the Redis server of the runs').makeOptionMandatory(),
    )
    .option(
      '--queue-secret <SOURCE>',
      'where the secret is that the runs share with their workers: variable:NAME or file:PATH; required unless Redis is on this machine',
    )
    .addOption(
      createRepeatable(
        '--allow-agent <COMMAND>',
        "let runs start this agent or MCP server: 'command: PROGRAM ARGUMENTS', container:IMAGE or isolate:none",
      ),
    )
    .addOption(
      createRepeatable(
        '--allow-base-url <URL>',
        'let runs call this address, such as that of a model server, with the keys of this machine',
      ),
    )
    .option('--concurrency <N>', 'how many attempts run at a time', '4')
    .option('--cache <DIR>', 'folder that keeps document texts and vectors; workers may share it')
    .action(async (flags: WorkerFlags) => {
      setExitCode(await workForTerminal(flags))
    })
}

interface WorkerFlags {
  readonly queue: string
  readonly queueSecret?: string
  readonly allowAgent?: readonly string[]
  readonly allowBaseUrl?: readonly string[]
  readonly concurrency: string
  readonly cache?: string
}

async function workForTerminal(flags: WorkerFlags): Promise<number> {
  const queue = readFlagValue('--queue', redisUrl, flags.queue)
  const source =
    flags.queueSecret === undefined ? null : readFlagValue('--queue-secret', secretSource, flags.queueSecret)
  const permissions = {
    agents: (flags.allowAgent ?? []).map(line => readFlagValue('--allow-agent', commandLine, line)),
    baseUrls: (flags.allowBaseUrl ?? []).map(url => readFlagValue('--allow-base-url', httpUrl, url)),
  }
  const concurrency = readFlagValue('--concurrency', positive, flags.concurrency)
  requirePackages(optionalParts.queue)
  const { runWorker } = await import('../run/queue/worker.ts')
  const { readQueueSecret } = await import('../run/queue/queue-secret.ts')
  const queueSecret = await readQueueSecret(source, { queue, env: process.env })
  const { openCache } = await import('../run/open-run/open-cache.ts')
  const { listenForInterrupt } = await import('../run/interrupt.ts')
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
      queueSecret,
      queueSecretSource: source,
      permissions,
      concurrency,
      cache,
      env: process.env,
      tell,
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
    })
    return 130
  } finally {
    interrupt.dispose()
  }
}
