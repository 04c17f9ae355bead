import type { LoadedTasks } from '../src/core/task.ts'

/** A benchmark: where its tasks come from. The file behind `load` is imported when it is asked for. */
export interface Benchmark {
  /** One line for help texts: what `--tasks` points at. */
  readonly summary: string
  /**
   * Reads the tasks at that path. Records that do not fit come back as `skipped`.
   * Rejects with ConfigError when the path can't be read, with DataError when no record of it fits.
   */
  load(path: string): Promise<LoadedTasks>
}

/** Every benchmark by the name that `--benchmark` takes. */
export const benchmarks = {
  aoe: {
    summary: "AOE's record format: a JSONL file, one record a line",
    load: async path => (await import('./aoe.ts')).loadAoe(path),
  },
  'extract-bench': {
    summary:
      "ExtractBench's layout: a folder of JSON Schemas (*-schema.json) and gold files (NAME.gold.json)",
    load: async path => (await import('./extract-bench.ts')).loadExtractBench(path),
  },
} as const satisfies Record<string, Benchmark>
