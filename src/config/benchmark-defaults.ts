import { benchmarks } from '../../tasks/registry.ts'

/** The options whose default is what their benchmark declares. */
export interface BenchmarkDefaults {
  readonly setting: string[]
  /** Names as --prompts takes them; the benchmark's own prompts have its name. */
  readonly prompts: string[]
}

/** @throws ConfigError [unknown-benchmark] */
export function benchmarkDefaults(name: string): BenchmarkDefaults {
  const { settings, prompts } = benchmarks.get(name)
  return { setting: [...settings], prompts: [typeof prompts === 'string' ? prompts : name] }
}
