import { benchmarks } from '../../tasks/registry.ts'
import type { CutStrategy } from '../core/cut-strategy.ts'
import { ConfigError } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
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

/**
 * Checks names of scorers. The error suggests a scorer of the benchmark before others.
 *
 * @param given the value of `scorer`; values of another type are not checked here
 * @param benchmark the value of `benchmark`, which may be wrong
 * @throws ConfigError [unknown-scorer], whose message begins with the place
 */
export function requireScorers(given: unknown, benchmark: unknown, place: string): void {
  if (typeof benchmark !== 'string' || !benchmarks.has(benchmark)) return
  const names = [given].flat().flatMap(one => (typeof one === 'string' ? one.split(',') : []))
  const unknown = names.map(name => name.trim()).find(name => name !== '' && !scorers.has(name))
  if (unknown === undefined) return
  const problem = describeUnknownName(unknown, scorers.names(), benchmarks.get(benchmark).scorers)
  throw new ConfigError(`${place}: unknown scorer ${problem}`, { code: 'unknown-scorer' })
}
