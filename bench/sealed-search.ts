import { type Bench, type BenchFigure, relativeTo } from './figure.ts'
import { madeWord, serveMadeCorpus, wordsADocument } from './parts/made-corpus.ts'
import { peakMemoryMb } from './parts/process.ts'
import { searchTimes } from './parts/search-times.ts'
import { quantile, rounded } from './parts/statistics.ts'

const [documents, queries, seed] = [10_000, 300, 20_261_122]
const limitMs = 50

/** A search of a sealed web as a tool makes it: over HTTP on this machine, in a corpus of generated documents. */
export const sealedSearch: Bench = {
  summary: `a search of a sealed web of ${documents} documents of ${wordsADocument} words, over HTTP`,
  read: 'The ratio is relative to the target of the 95th percentile.',
  why: 'The setting `online` waits this long for a search of a sealed web.',
  figures: ['sealed-search-p95-ms', 'sealed-search-p50-ms', 'sealed-search-memory-mb'],
  targets: { 'sealed-search-p95-ms': { atMost: limitMs } },
  async run() {
    const web = await serveMadeCorpus(documents)
    try {
      return writeFigures(await searchTimes(web, { count: queries, seed, word: madeWord }))
    } finally {
      await web.close()
    }
  },
}

function writeFigures(times: readonly number[]): BenchFigure[] {
  const time = (name: string, share: number): BenchFigure => {
    return relativeTo(limitMs, { figure: name, value: rounded(quantile(times, share), 1), unit: 'ms' })
  }
  const peak: BenchFigure = {
    figure: 'sealed-search-memory-mb',
    value: rounded(peakMemoryMb(), 0),
    unit: 'MB',
    against: 'the whole process, with corpus and index in memory',
    ratio: null,
  }
  return [time('sealed-search-p95-ms', 0.95), time('sealed-search-p50-ms', 0.5), peak]
}
