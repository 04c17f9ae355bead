import { tools } from '../../../tools/registry.ts'
import { runToolInput, type ToolRun } from '../../../tools/run-tool-input.ts'
import { splitLines } from '../../system/text-lines.ts'
import { openStandaloneWeb } from './standalone-tools.ts'

async function* readInputs(inputs: readonly string[]): AsyncGenerator<string | Uint8Array> {
  for (const input of inputs) {
    if (input !== '-') yield input
    // As bytes, because a line may not be valid UTF-8.
    else
      for await (const { bytes } of splitLines(process.stdin))
        if (bytes?.toString('latin1').trim() !== '') yield bytes ?? ''
  }
}

/**
 * Calls a tool with each input in turn, on the web that the options name. A failed call does not end it.
 *
 * @param inputs JSON texts; `-` reads lines from standard input
 * @param options as those of `run`
 * @throws ConfigError [unknown-tool] and those of the options
 */
export async function* callTool(
  name: string,
  inputs: readonly string[],
  options: Readonly<Record<string, unknown>>,
  tell: (line: string) => void = () => undefined,
): AsyncGenerator<ToolRun> {
  tools.get(name)
  const web = await openStandaloneWeb(options, name === 'web_search', tell)
  try {
    const environment = web.createEnvironment()
    for await (const input of readInputs(inputs)) yield await runToolInput(name, input, environment)
  } finally {
    await web.close()
  }
}
