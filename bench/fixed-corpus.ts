import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Random, seededRandom } from '../src/core/runtime.ts'
import { makeFolder } from '../src/system/files.ts'
import { loadCorpus } from '../tools/web/corpus-folder.ts'
import { serveCorpus } from '../tools/web/sealed.ts'
import { buildTextCorpus } from '../tools/web/text-corpus/build.ts'
import { type Bench, type BenchFigure, relativeTo } from './figure.ts'
import { peakMemoryMb } from './parts/process.ts'
import { searchTimes } from './parts/search-times.ts'
import { quantile, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const [documents, wordsADocument, vocabulary, queries, seed] = [100_000, 300, 50_000, 300, 20_261_124]
const limits = { buildSeconds: 300, searchMs: 20, memoryMb: 1_000 }

/** A corpus of generated texts: how long it takes to build, and a search in it over HTTP as a tool makes it. */
export const fixedCorpus: Bench = {
  summary: `a corpus of ${documents} generated texts of ${wordsADocument} words: building and searching it`,
  read: 'The search is one by HTTP, and the memory is the peak of both. The ratio is relative to the target.',
  why: 'A benchmark with a fixed corpus takes this long to prepare and to search.',
  figures: ['fixed-corpus-build-s', 'fixed-corpus-search-p95-ms', 'fixed-corpus-memory-mb'],
  targets: {
    'fixed-corpus-build-s': { atMost: limits.buildSeconds },
    'fixed-corpus-search-p95-ms': { atMost: limits.searchMs },
    'fixed-corpus-memory-mb': { atMost: limits.memoryMb },
  },
  run: async () => await withTemporaryFolder(measure),
}

async function measure(folder: string): Promise<BenchFigure[]> {
  const file = join(folder, 'corpus.jsonl')
  await writeTexts(file)
  const corpus = join(folder, 'corpus')
  await makeFolder(corpus)
  const startedAt = performance.now()
  await buildTextCorpus({ files: [file], folder: corpus, dense: null })
  const seconds = (performance.now() - startedAt) / 1_000
  const p95 = quantile(await timesIn(corpus), 0.95)
  return [
    relativeTo(limits.buildSeconds, {
      figure: 'fixed-corpus-build-s',
      value: rounded(seconds, 1),
      unit: 's',
    }),
    relativeTo(limits.searchMs, { figure: 'fixed-corpus-search-p95-ms', value: rounded(p95, 1), unit: 'ms' }),
    relativeTo(limits.memoryMb, {
      figure: 'fixed-corpus-memory-mb',
      value: rounded(peakMemoryMb(), 0),
      unit: 'MB',
    }),
  ]
}

async function writeTexts(file: string): Promise<void> {
  const random = seededRandom(seed)
  const stream = createWriteStream(file)
  for (let docid = 0; docid < documents; docid++) {
    const text = Array.from({ length: wordsADocument }, () => word(random)).join(' ')
    const url = `https://host-${docid % 997}.example.org/${docid}`
    const written = stream.write(`${JSON.stringify({ docid, url, text })}\n`)
    if (!written) await new Promise<void>(resolve => void stream.once('drain', resolve))
  }
  await new Promise<void>(resolve => void stream.end(resolve))
}

/** Draws a word of letters. As in real text, the n-th most common word has a frequency of about 1 / n. */
function word(random: Random): string {
  const letters = Math.floor(vocabulary ** random()).toString(26)
  return letters.replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)]!)
}

async function timesIn(folder: string): Promise<number[]> {
  const web = await serveCorpus(await loadCorpus(folder))
  try {
    return await searchTimes(web, { count: queries, seed: seed + 1, word })
  } finally {
    await web.close()
  }
}
