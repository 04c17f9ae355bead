import type { RunOptions } from '../config.ts'

/** What a config file may hold: any option of `run`, by its name in camelCase. */
export type ConfigFile = Partial<RunOptions>

/** Gives back what it is given, so that an editor knows the options of a `tablehunt.config.ts`. */
export function defineConfig(options: ConfigFile): ConfigFile {
  return options
}
