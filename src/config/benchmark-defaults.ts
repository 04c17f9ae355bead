import { type Benchmark, usualScorers } from '../../tasks/benchmark.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'
import type { CutStrategy } from '../core/cut-strategy.ts'
import { ConfigError } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import type { Question } from '../core/task.ts'

/** The options whose default the benchmark declares. */
export interface BenchmarkDefaults {
  readonly setting: string[]
  /** The benchmark's first scorer of each kind of answer that it asks for; empty when the tasks decide. */
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
export function listBenchmarkDefaults(name: string): BenchmarkDefaults {
  const benchmark = benchmarks.get(name)
  const { prompts, cut } = benchmark
  return {
    setting: [...benchmark.settings],
    scorer: benchmark.scorerOf === undefined ? listFirstScorers(benchmark) : [],
    prompts: [typeof prompts === 'string' ? prompts : name],
    cut,
  }
}

function listFirstScorers({ answerKinds, scorers: names }: Benchmark): string[] {
  return answerKinds.flatMap(kind => names.find(name => scorers.get(name).kind === kind) ?? [])
}

/**
 * Returns the default of --scorer for tasks. When they need different scorers, it is the usual one of their kind.
 *
 * @param name the benchmark
 */
export function listDefaultScorers(
  name: string,
  tasks: readonly { readonly question: Question }[],
): string[] {
  const benchmark = benchmarks.get(name)
  const fitting = new Set(tasks.flatMap(({ question }) => benchmark.scorerOf?.(question) ?? []))
  if (benchmark.scorerOf === undefined || fitting.size === 0) return listFirstScorers(benchmark)
  return fitting.size === 1
    ? [...fitting]
    : benchmark.answerKinds.flatMap(kind => usualScorers[kind][0] ?? [])
}

/**
 * Checks names of scorers. The error suggests a scorer of the benchmark before others.
 *
 * @param choice the value of `scorer`; values of another type are not checked here
 * @param benchmark the value of `benchmark`, which may be wrong
 * @throws ConfigError [unknown-scorer], whose message begins with the place
 */
export function requireScorers(choice: unknown, benchmark: unknown, place: string): void {
  if (typeof benchmark !== 'string' || !benchmarks.has(benchmark)) return
  const names = [choice].flat().flatMap(one => (typeof one === 'string' ? one.split(',') : []))
  const unknown = names.map(name => name.trim()).find(name => name !== '' && !scorers.has(name))
  if (unknown === undefined) return
  const problem = describeUnknownName(unknown, scorers.names(), benchmarks.get(benchmark).scorers)
  throw new ConfigError(`${place}: unknown scorer ${problem}`, { code: 'unknown-scorer' })
}
