import { tools } from '../../../tools/registry.ts'
import { runToolInput, type ToolRun } from '../../../tools/run-tool-input.ts'
import { completeOptions, parseOptions } from '../../config.ts'
import { splitLines } from '../../system/text-lines.ts'
import { corpusInput } from '../open-run/corpus-input.ts'
import { openPageGate } from '../open-run/gates.ts'
import { openPageReader, openRenderer } from '../open-run/page-access.ts'
import { openWeb, withOneSearch } from '../open-run/web.ts'
import { openReader, standaloneToolEnvironment } from './standalone-tools.ts'

async function* inputsOf(inputs: readonly string[]): AsyncGenerator<string | Uint8Array> {
  for (const input of inputs) {
    if (input !== '-') yield input
    // As bytes, because a line may not be valid UTF-8.
    else for await (const { bytes } of splitLines(process.stdin)) if (!isBlank(bytes)) yield bytes ?? ''
  }
}

function isBlank(line: Buffer | null): boolean {
  return line?.toString('latin1').trim() === ''
}

/**
 * Calls a tool with each input in turn, on the web that the options name. A failed call does not end it.
 *
 * @param inputs JSON texts; `-` reads lines from standard input
 * @param options options as of `run`
 * @throws ConfigError [unknown-tool] and those of the options
 */
export async function* callTool(
  name: string,
  inputs: readonly string[],
  options: Readonly<Record<string, unknown>>,
  tell: (line: string) => void = () => undefined,
): AsyncGenerator<ToolRun> {
  tools.get(name)
  const config = completeOptions(parseOptions(options))
  const reader = await openReader(config.cache, tell)
  try {
    // This comes before the web is opened, because it may throw.
    const renderer = await openRenderer(config.browser, process.env, tell)
    const corpus = () => corpusInput({ config, tasks: [], distractors: null, tell }, reader)
    const web = await openWeb({
      config: withOneSearch(config),
      env: process.env,
      searches: name === 'web_search',
      corpus,
      gates: { page: openPageGate(config) },
    })
    try {
      const environment = standaloneToolEnvironment(web, reader, {
        renderer,
        pageReader: openPageReader(config, process.env),
      })
      for await (const input of inputsOf(inputs)) yield await runToolInput(name, input, environment)
    } finally {
      await renderer?.close()
      await web.close()
    }
  } finally {
    await reader.close()
  }
}
