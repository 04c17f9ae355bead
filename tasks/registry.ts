import { Registry } from '../src/core/registry.ts'
import { aoe } from './aoe.ts'
import type { Benchmark } from './benchmark.ts'
import { extractBench } from './extract-bench.ts'
import { spreadsheet } from './spreadsheet.ts'

/** Every benchmark by the name that `--benchmark` takes. */
export const benchmarks = new Registry<Benchmark>({
  kind: 'benchmark',
  builtIn: { aoe, 'extract-bench': extractBench, spreadsheet },
})
