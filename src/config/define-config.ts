import type { RunOptions } from '../config.ts'

/**
 * The content of a config file: options of `run`, by their names in camelCase.
 *
 * @example
 * import type { ConfigFile } from 'tablehunt'
 *
 * const config: ConfigFile = { tasks: 'aoe.jsonl', docs: 'documents', trials: 3 }
 */
export type ConfigFile = Partial<RunOptions>

/**
 * Returns the options unchanged. With it, an editor knows their names and types.
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
