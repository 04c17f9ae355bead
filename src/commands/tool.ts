import { tools } from '../../tools/registry.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addToolFlags } from './run-flags.ts'
import { tell } from './tell.ts'

/** Registers `tool`. */
export const registerTool: RegisterCommand = command => {
  command
    .argument('<NAME>', tools.names().join(', '))
    .argument('<JSON...>', "inputs, one for each call; '-' reads one from each line of standard input")
  addToolFlags(command)
  withPlugins(command).action(async (name: string, inputs: string[], given: Record<string, unknown>) => {
    const { callTool } = await import('../run/web-tools/call-tool.ts')
    for await (const line of callTool(name, inputs, given, tell))
      process.stdout.write(`${JSON.stringify(line)}\n`)
  })
}
