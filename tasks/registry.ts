import { Registry } from '../src/core/registry.ts'
import type { Benchmark } from './benchmark.ts'

/** Every benchmark by the name that `--benchmark` takes. */
export const benchmarks = new Registry<Benchmark>({
  kind: 'benchmark',
  builtIn: {
    aoe: {
      summary: "AOE's record format: a JSONL file, one record a line",
      load: async path => (await import('./aoe.ts')).loadAoe(path),
    },
    'extract-bench': {
      summary:
        "ExtractBench's layout: a folder of JSON Schemas (*-schema.json) and gold files (NAME.gold.json)",
      load: async path => (await import('./extract-bench.ts')).loadExtractBench(path),
    },
    spreadsheet: {
      summary:
        'a CSV or Excel file of true values; option `spreadsheet` of the config file says what its columns are',
      load: async (path, options) => (await import('./spreadsheet.ts')).loadSpreadsheet(path, options),
    },
  },
})
