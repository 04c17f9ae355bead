import { benchmarks } from '../../tasks/registry.ts'
import type { CutStrategy } from '../core/cut-strategy.ts'
import { scorers } from '../score/registry.ts'

/** The options whose default the benchmark declares. */
export interface BenchmarkDefaults {
  readonly setting: string[]
  /** The benchmark's first scorer of each kind of answer that it asks for. */
  readonly scorer: string[]
  /** Values of --prompts. The benchmark's own prompts have its name. */
  readonly prompts: string[]
  readonly cut: CutStrategy
}

/**
 * Returns the defaults that a benchmark declares.
 *
 * @throws ConfigError [unknown-benchmark, unknown-scorer]
 */
export function benchmarkDefaults(name: string): BenchmarkDefaults {
  const benchmark = benchmarks.get(name)
  const { prompts, cut } = benchmark
  return {
    setting: [...benchmark.settings],
    scorer: benchmark.answerKinds.flatMap(
      kind => benchmark.scorers.find(scorer => scorers.get(scorer).kind === kind) ?? [],
    ),
    prompts: [typeof prompts === 'string' ? prompts : name],
    cut,
  }
}
