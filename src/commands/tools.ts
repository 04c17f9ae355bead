import { tools } from '../../tools/registry.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags } from './run-flags.ts'
import { printJson, tell } from './terminal.ts'

type ToolFlags = Readonly<Record<string, unknown>>

/** Registers `tools` and the commands below it. */
export const registerTools: RegisterCommand = command => {
  const call = command
    .command('call')
    .argument('<NAME>', tools.names().join(', '))
    .argument('<JSON...>', "inputs, one for each call; '-' reads one from each line of standard input")
    .description('call a tool as an agent would, and print one JSON line for each input, also for failures')
  withPlugins(addRunFlags(call, 'tools call')).action(
    async (name: string, inputs: string[], { plugins: _, ...options }: ToolFlags) => {
      const { callTool } = await import('../run/web-tools/call-tool.ts')
      for await (const line of callTool(name, inputs, options, tell)) printJson(line)
    },
  )
  const serve = command
    .command('serve')
    .option('--http <PORT>', 'serve over HTTP on this port of 127.0.0.1; 0 chooses a free one')
    .description('serve the tools by the Model Context Protocol (MCP) to any agent, over stdio or HTTP')
  withPlugins(addRunFlags(serve, 'tools serve')).action(
    async ({ http, plugins: _, ...options }: ToolFlags) => {
      const { readFlagValue } = await import('./flag-value.ts')
      const { port } = await import('../core/option-values.ts')
      await serveTools(options, http === undefined ? null : readFlagValue('--http', port, http))
    },
  )
}

/** Serves the tools until the client closes its end, or until Ctrl-C. */
async function serveTools(options: ToolFlags, port: number | null): Promise<void> {
  const { openStandaloneTools, serveMcpOnHttp, serveMcpOnStdio } = await import(
    '../run/web-tools/serve-mcp.ts'
  )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const standalone = await openStandaloneTools(options, tell)
  try {
    if (port === null) return await serveMcpOnStdio(standalone, stop.signal)
    const server = await serveMcpOnHttp(standalone, port)
    process.stdout.write(`${server.url}  (stop with Ctrl-C)\n`)
    if (!stop.signal.aborted)
      await new Promise<void>(resolve =>
        stop.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
    await server.close()
  } finally {
    await standalone.close()
  }
}
