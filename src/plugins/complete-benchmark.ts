import { type Benchmark, type BenchmarkDefinition, defineBenchmark } from '../../tasks/benchmark.ts'
import { ConfigError } from '../core/errors.ts'
import type { Prompts } from '../core/prompts.ts'
import { isObject } from '../text/json.ts'

/** Completes the definition of a plug-in's benchmark. What `prompts` and `inputs` return is checked when they are called. */
export function completeBenchmark(definition: BenchmarkDefinition): Benchmark {
  const { prompts, inputs } = definition
  return defineBenchmark({
    ...definition,
    load: (path, options) => definition.load(path, options),
    ...(typeof prompts === 'function' && {
      prompts: async () => checkPrompts(await prompts.call(definition)),
    }),
    ...(inputs !== undefined && {
      inputs: async path => checkInputs(await inputs.call(definition, path), path),
    }),
  })
}

const promptFunctions = ['withDocuments', 'online', 'closedBook', 'furtherTurn']

function checkPrompts(prompts: unknown): Prompts {
  const isComplete =
    isObject(prompts) &&
    typeof prompts.hash === 'string' &&
    promptFunctions.every(name => typeof prompts[name] === 'function')
  if (isComplete) return prompts as unknown as Prompts
  throw invalidResult(
    `prompts() returned no prompts. Return an object with the text hash and the functions ${promptFunctions.join(', ')}.`,
  )
}

function checkInputs(inputs: unknown, path: string): readonly string[] {
  const areFiles =
    Array.isArray(inputs) &&
    inputs.length > 0 &&
    inputs.every(file => typeof file === 'string' && file !== '')
  if (areFiles) return inputs as string[]
  throw invalidResult(
    `inputs('${path}') returned no files. Return a list with the path of every file that the tasks come from.`,
  )
}

function invalidResult(message: string): ConfigError {
  return new ConfigError(`${message} See docs/plugins.md.`, { code: 'plugin-invalid' })
}
