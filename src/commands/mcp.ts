import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags } from './run-flags.ts'

/** Registers `mcp`. */
export const registerMcp: RegisterCommand = command => {
  command.option('--http <PORT>', 'serve over HTTP on this port of 127.0.0.1; 0 chooses a free one')
  addRunFlags(command, [
    'benchmark',
    'web',
    'docs',
    'twins',
    'record',
    'replay',
    'faults',
    'block',
    'allowHost',
    'tools',
    'search',
    'pageReader',
    'browser',
    'seed',
    'cache',
  ])
  withPlugins(command).action(async ({ http, ...given }: Record<string, unknown>) => {
    const { flagValue } = await import('./flag-value.ts')
    const values = await import('../core/option-values.ts')
    const port = http === undefined ? null : flagValue('--http', values.port, http as string)
    await serve(given, port)
  })
}

/** Serves the tools until the client closes its end, or until Ctrl-C. */
async function serve(given: Readonly<Record<string, unknown>>, port: number | null): Promise<void> {
  const { openStandaloneTools, serveMcpOnHttp, serveMcpOnStdio } = await import(
    '../run/standalone/serve-mcp.ts'
  )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // Standard output belongs to the protocol.
  const tell = (line: string): void => void process.stderr.write(`${withoutControlCharacters(line)}\n`)
  const tools = await openStandaloneTools(given, tell)
  try {
    if (port === null) return await serveMcpOnStdio(tools, stop.signal)
    const server = await serveMcpOnHttp(tools, port)
    process.stdout.write(`${server.url}  (stop with Ctrl-C)\n`)
    if (!stop.signal.aborted)
      await new Promise<void>(resolve =>
        stop.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
    await server.close()
  } finally {
    await tools.close()
  }
}
