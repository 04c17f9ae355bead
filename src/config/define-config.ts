import type { RunOptions } from '../config.ts'

/**
 * What a config file may hold: any option of `run`, by its name in camelCase.
 *
 * @example
 * import type { ConfigFile } from 'tablehunt'
 *
 * const config: ConfigFile = { tasks: 'aoe.jsonl', docs: 'documents', trials: 3 }
 */
export type ConfigFile = Partial<RunOptions>

/**
 * Returns the options as they are given, and tells an editor their names and types.
 *
 * @example
 * import { defineConfig } from 'tablehunt'
 *
 * export default defineConfig({
 *   tasks: 'aoe.jsonl',
 *   docs: 'documents',
 *   model: ['openai:gpt-4o', 'openai:qwen@http://127.0.0.1:8000/v1'],
 *   budgetWall: '20m',
 * })
 */
export function defineConfig(options: ConfigFile): ConfigFile {
  return options
}
