import { Registry } from '../src/core/registry.ts'
import type { Scorer } from '../src/score/contract/scorer.ts'
import { generalScorers } from '../src/score/general-scorers.ts'
import { aoeRoom } from './aoe/aoe.ts'
import type { Benchmark, BenchmarkRoom } from './benchmark.ts'
import { browseCompPlusRoom } from './browsecomp-plus/browsecomp-plus.ts'
import { extractBenchRoom } from './extract-bench/extract-bench.ts'
import { fanOutQaRoom } from './fanoutqa/fanoutqa.ts'
import { gisaRoom } from './gisa/gisa.ts'
import { longTableBenchRoom } from './longtablebench/longtablebench.ts'
import { qaRoom } from './qa/qa.ts'
import { spreadsheetRoom } from './spreadsheet/spreadsheet.ts'
import { strucBenchRoom } from './struc-bench/struc-bench.ts'
import { structextRoom } from './structext/structext.ts'
import { wideSearchRoom } from './widesearch/widesearch.ts'

/** To add a benchmark, write a folder and add its room here. Lists of names have this order. */
const rooms: readonly BenchmarkRoom[] = [
  aoeRoom,
  { benchmarks: {}, scorers: generalScorers },
  extractBenchRoom,
  spreadsheetRoom,
  qaRoom,
  longTableBenchRoom,
  structextRoom,
  strucBenchRoom,
  wideSearchRoom,
  fanOutQaRoom,
  gisaRoom,
  browseCompPlusRoom,
]

/** The benchmarks by name, as in `--benchmark`. */
export const benchmarks = new Registry<Benchmark>({
  kind: 'benchmark',
  builtIn: Object.assign({}, ...rooms.map(room => room.benchmarks)),
})

/** Every way to score an answer, by name, as in `--scorer`. */
export const scorers = new Registry<Scorer>({
  kind: 'scorer',
  builtIn: Object.assign({}, ...rooms.map(room => room.scorers)),
})
