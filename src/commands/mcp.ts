import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags, addToolFlags } from './run-flags.ts'
import { tell } from './tell.ts'

/** Registers `mcp`. */
export const registerMcp: RegisterCommand = command => {
  command.option('--http <PORT>', 'serve over HTTP on this port of 127.0.0.1; 0 chooses a free one')
  addToolFlags(command)
  addRunFlags(command, ['tools'])
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
    '../run/web-tools/serve-mcp.ts'
  )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
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
