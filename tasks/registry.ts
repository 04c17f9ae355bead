import { Registry } from '../src/core/registry.ts'
import { aoe } from './aoe.ts'
import type { Benchmark } from './benchmark.ts'
import { browseCompPlus } from './browsecomp-plus.ts'
import { extractBench } from './extract-bench.ts'
import { fanOutQa } from './fanoutqa.ts'
import { gisa } from './gisa.ts'
import { longTableBench } from './longtablebench.ts'
import { spreadsheet } from './spreadsheet.ts'
import { strucBench } from './struc-bench.ts'
import { structext } from './structext.ts'
import { deepWideSearch, wideSearch } from './widesearch.ts'

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
