import { once } from 'node:events'
import type { RegisterCommand } from './command.ts'

/** Registers `view`. */
export const registerView: RegisterCommand = command => {
  command
    .argument('[FOLDER]', 'a folder of runs, or the folder of one run', 'runs')
    .option('--port <N>', 'port on 127.0.0.1; 0 chooses a free one', '0')
    .action(async (folder: string, { port }: { port: string }) => {
      const { readFlagValue } = await import('./flag-value.ts')
      const values = await import('../core/option-values.ts')
      await view(folder, readFlagValue('--port', values.port, port))
    })
}

/** Serves runs until Ctrl-C. */
async function view(folder: string, port: number): Promise<void> {
  const { viewRuns } = await import('../run/view-runs.ts')
  const server = await viewRuns(folder, port)
  process.stdout.write(`${server.url}?token=${server.token}  (stop with Ctrl-C)\n`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await server.close()
}
