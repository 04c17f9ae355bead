import { type Random, seededRandom } from '../src/core/runtime.ts'
import { buildCorpus } from '../tools/web/corpus-build.ts'
import type { SourceDocument } from '../tools/web/corpus-input.ts'
import { serveCorpus } from '../tools/web/sealed.ts'
import { type Bench, type Figure, relativeTo } from './figure.ts'
import { peakMemoryMb } from './parts/process.ts'
import { searchTimes } from './parts/search-times.ts'
import { quantile, rounded } from './parts/statistics.ts'

const [documents, wordsADocument, vocabulary, queries, seed] = [10_000, 300, 20_000, 300, 20_261_121]
const limitMs = 50

/** A search of a sealed web as a tool makes it: over HTTP on this machine, in a corpus of generated documents. */
export const sealedSearch: Bench = {
  summary: `a search of a sealed web of ${documents} documents of ${wordsADocument} words, over HTTP`,
  read: 'The ratio is relative to the target of the 95th percentile.',
  why: 'The setting `online` waits this long for a search of a sealed web.',
  figures: ['sealed-search-p95-ms', 'sealed-search-p50-ms', 'sealed-search-memory-mb'],
  targets: { 'sealed-search-p95-ms': { atMost: limitMs } },
  async run() {
    const web = await serveCorpus(await buildCorpus({ documents: made(), embedded: [], twins: 0, seed }))
    try {
      return figuresOf(await searchTimes(web, { count: queries, seed: seed + 1, word }))
    } finally {
      await web.close()
    }
  },
}

function figuresOf(times: readonly number[]): Figure[] {
  const time = (name: string, share: number): Figure => {
    return relativeTo(limitMs, { figure: name, value: rounded(quantile(times, share), 1), unit: 'ms' })
  }
  const peak: Figure = {
    figure: 'sealed-search-memory-mb',
    value: rounded(peakMemoryMb(), 0),
    unit: 'MB',
    against: 'the whole process, with corpus and index in memory',
    ratio: null,
  }
  return [time('sealed-search-p95-ms', 0.95), time('sealed-search-p50-ms', 0.5), peak]
}

/** Draws a word. As in real text, the n-th most common word has a frequency of about 1 / n. */
function word(random: Random): string {
  return `word${Math.floor(vocabulary ** random())}`
}

function made(): SourceDocument[] {
  const random = seededRandom(seed)
  return Array.from({ length: documents }, (_, index) => {
    const words = Array.from({ length: wordsADocument }, () => word(random))
    const text = `Report ${index} on ${words.slice(0, 4).join(' ')}\n\n${words.join(' ')}\n`
    return { name: `report-${index}.txt`, source: { bytes: Buffer.from(text) }, text }
  })
}
