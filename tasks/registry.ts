import { Registry } from '../src/core/registry.ts'
import { aoe } from './aoe/aoe.ts'
import type { Benchmark } from './benchmark.ts'
import { browseCompPlus } from './browsecomp-plus/load.ts'
import { extractBench } from './extract-bench/extract-bench.ts'
import { fanOutQa } from './fanoutqa/load.ts'
import { gisa } from './gisa/load.ts'
import { longTableBench } from './longtablebench/longtablebench.ts'
import { spreadsheet } from './spreadsheet/spreadsheet.ts'
import { strucBench } from './struc-bench/load.ts'
import { structext } from './structext/structext.ts'
import { deepWideSearch, wideSearch } from './widesearch/widesearch.ts'

/** The benchmarks by name, as in `--benchmark`. To add one, write a file and add it here. */
export const benchmarks = new Registry<Benchmark>({
  kind: 'benchmark',
  builtIn: {
    aoe,
    'extract-bench': extractBench,
    spreadsheet,
    longtablebench: longTableBench,
    structext,
    'struc-bench': strucBench,
    widesearch: wideSearch,
    deepwidesearch: deepWideSearch,
    fanoutqa: fanOutQa,
    gisa,
    'browsecomp-plus': browseCompPlus,
  },
})
