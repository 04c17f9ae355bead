import { tools } from '../../tools/registry.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addRunFlags } from './run-flags.ts'

/** Registers `tool`. */
export const registerTool: RegisterCommand = command => {
  command
    .argument('<NAME>', tools.names().join(', '))
    .argument('<JSON...>', "inputs, one for each call; '-' reads one from each line of standard input")
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
    'search',
    'pageReader',
    'browser',
    'seed',
    'cache',
  ])
  withPlugins(command).action(async (name: string, inputs: string[], given: Record<string, unknown>) => {
    const { callTool } = await import('../run/standalone/call-tool.ts')
    const tell = (line: string): void => void process.stderr.write(`${withoutControlCharacters(line)}\n`)
    for await (const line of callTool(name, inputs, given, tell))
      process.stdout.write(`${JSON.stringify(line)}\n`)
  })
}
