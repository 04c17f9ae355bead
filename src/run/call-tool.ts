import { createInterface } from 'node:readline'
import { toolNames } from '../../tools/registry.ts'
import { runToolInput, type ToolRun } from '../../tools/run-tool-input.ts'
import { resolveConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'
import { corpusInput } from './corpus-input.ts'
import { openPageReader, openRenderer } from './grounds.ts'
import { loneEnvironment, openReader } from './lone-tools.ts'
import { openWeb } from './web.ts'

async function* inputLines(inputs: readonly string[]): AsyncGenerator<string> {
  for (const input of inputs) {
    if (input !== '-') yield input
    else
      for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== '') yield line
  }
}

/** Calls one tool with each input in turn, on the web that the options name; one failure never ends it. */
export async function* callTool(
  name: string,
  inputs: readonly string[],
  given: Readonly<Record<string, unknown>>,
  tell: (line: string) => void = () => undefined,
): AsyncGenerator<ToolRun> {
  const names: readonly string[] = toolNames
  if (!names.includes(name)) throw new ConfigError(`tool: ${notAmong(name, names)}`)
  const config = resolveConfig({ ...given, tasks: '-', out: '-' })
  const reader = await openReader(config.cache)
  try {
    const corpus = () => corpusInput({ config, tasks: [], distractors: null, tell }, reader)
    const web = await openWeb({ config, env: process.env, searches: name === 'web_search', corpus })
    const renderer = await openRenderer(config.browser, process.env)
    try {
      const environment = loneEnvironment(web, reader, {
        renderer,
        pageReader: openPageReader(config, process.env),
      })
      for await (const input of inputLines(inputs)) yield await runToolInput(name, input, environment)
    } finally {
      await renderer?.close()
      await web.close()
    }
  } finally {
    await reader.close()
  }
}
