import { memory, overhead } from './attempts.ts'
import { help, scorer } from './commands.ts'
import { type Bench, type BenchFigure, measureFigures } from './figure.ts'
import { growth } from './growth.ts'
import { callInProcess } from './parts/process.ts'
import { pdf } from './pdf.ts'
import { reading } from './reading.ts'
import { report } from './report.ts'
import { retrieval } from './retrieval.ts'
import { fixedCorpus, sealedSearch } from './search.ts'

/** Every bench by its name. */
export const benches: Readonly<Record<string, Bench>> = {
  help,
  overhead,
  memory,
  scorer,
  pdf,
  reading,
  retrieval,
  'sealed-search': sealedSearch,
  'fixed-corpus': fixedCorpus,
  report,
  growth,
}

/** Runs a bench in this process. */
export async function runBench(name: string): Promise<BenchFigure[]> {
  return await measureFigures(benches[name]!)
}

/** Runs a bench in a process of its own, so that it does not share memory or a crash with others. */
export async function measureBench(name: string): Promise<BenchFigure[]> {
  return (await callInProcess(import.meta.url, runBench, name)).result
}
