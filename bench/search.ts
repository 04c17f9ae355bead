import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Random, seededRandom } from '../src/core/runtime.ts'
import { makeFolder } from '../src/system/files.ts'
import { searchServices } from '../tools/search/registry.ts'
import { buildCorpus } from '../tools/web/corpus-build.ts'
import { loadCorpus } from '../tools/web/corpus-folder.ts'
import { type SealedWeb, serveCorpus } from '../tools/web/sealed.ts'
import { buildTextCorpus } from '../tools/web/text-corpus/build.ts'
import { type Bench, relativeTo } from './figure.ts'
import { peakMemoryMb, repeat, withTemporaryFolder } from './parts/process.ts'
import { quantile } from './parts/statistics.ts'

/** Draws a word of a vocabulary. As in real text, the n-th most common word has a frequency of about 1 / n. */
type DrawWord = (random: Random) => string

const sealedWord: DrawWord = random => `word${Math.floor(20_000 ** random())}`
const letterWord: DrawWord = random =>
  Math.floor(50_000 ** random())
    .toString(26)
    .replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)]!)

const wordsADocument = 300
const drawText = (random: Random, word: DrawWord): string =>
  Array.from({ length: wordsADocument }, () => word(random)).join(' ')

const sealedDocuments = 10_000
const sealedLimitMs = 50

/** A search of a sealed web as a tool makes it: over HTTP on this machine, in a corpus of generated documents. */
export const sealedSearch: Bench = {
  summary: `a search of a sealed web of ${sealedDocuments} documents of ${wordsADocument} words, over HTTP`,
  read: 'The ratio is relative to the target of the 95th percentile. The setting `online` waits this long for a search of a sealed web.',
  figures: {
    'sealed-search-p95-ms': { unit: 'ms', target: { atMost: sealedLimitMs } },
    'sealed-search-p50-ms': { unit: 'ms' },
    'sealed-search-memory-mb': { unit: 'MB' },
  },
  async run() {
    const times = await withSealedWeb(sealedDocuments, web => timeSearches(web, 20_261_122))
    const against = 'the whole process, with corpus and index in memory'
    return {
      'sealed-search-p95-ms': relativeTo(sealedLimitMs, 'ms', quantile(times, 0.95)),
      'sealed-search-p50-ms': relativeTo(sealedLimitMs, 'ms', quantile(times, 0.5)),
      'sealed-search-memory-mb': { value: peakMemoryMb(), against, ratio: null },
    }
  },
}

/** Serves a sealed web of generated documents, with its index in memory, while some work uses it. */
export async function withSealedWeb<T>(documents: number, work: (web: SealedWeb) => Promise<T>): Promise<T> {
  const seed = 20_261_121
  const random = seededRandom(seed)
  const corpus = Array.from({ length: documents }, (_, index) => {
    const words = drawText(random, sealedWord)
    const text = `Report ${index} on ${words.split(' ', 4).join(' ')}\n\n${words}\n`
    return { name: `report-${index}.txt`, source: { bytes: Buffer.from(text) }, text }
  })
  const web = await serveCorpus(await buildCorpus({ documents: corpus, embedded: [], twins: 0, seed }))
  try {
    return await work(web)
  } finally {
    await web.close()
  }
}

const searchCount = 300

/** Searches as a tool does, over HTTP, for three to seven words. Returns the milliseconds of each of 300 searches. */
export async function timeSearches(web: SealedWeb, seed: number, word = sealedWord): Promise<number[]> {
  const limits = { purpose: 'service', maxBytes: 10_000_000, timeoutMs: 30_000, maxRedirects: 0 } as const
  const random = seededRandom(seed)
  const service = searchServices.get('bm25').create({ apiKey: 'bench', baseUrl: web.searchUrl })
  const { signal } = new AbortController()
  return await repeat(searchCount, async () => {
    const query = Array.from({ length: 3 + Math.floor(random() * 5) }, () => word(random)).join(' ')
    const startedAt = performance.now()
    await service.search({ query, page: 1, language: null, region: null }, (method, url, headers, body) =>
      web.transport.send({ method, url, headers, body, ...limits }, signal),
    )
    return performance.now() - startedAt
  })
}

const corpusTexts = 100_000
const limits = { buildSeconds: 300, searchMs: 20, memoryMb: 1_000 }

/** A corpus of generated texts: how long it takes to build, and a search in it over HTTP as a tool makes it. */
export const fixedCorpus: Bench = {
  summary: `a corpus of ${corpusTexts} generated texts of ${wordsADocument} words: building and searching it`,
  read: 'The search is one by HTTP, and the memory is the peak of both. The ratio is relative to the target. A benchmark with a fixed corpus takes this long to prepare and to search.',
  figures: {
    'fixed-corpus-build-s': { unit: 's', target: { atMost: limits.buildSeconds } },
    'fixed-corpus-search-p95-ms': { unit: 'ms', target: { atMost: limits.searchMs } },
    'fixed-corpus-memory-mb': { unit: 'MB', target: { atMost: limits.memoryMb } },
  },
  async run() {
    return await withTemporaryFolder(async parent => {
      const [file, folder] = [join(parent, 'corpus.jsonl'), join(parent, 'corpus')]
      await writeFile(file, writeTexts())
      await makeFolder(folder)
      const startedAt = performance.now()
      await buildTextCorpus({ files: [file], folder, dense: null })
      const seconds = (performance.now() - startedAt) / 1_000
      const web = await serveCorpus(await loadCorpus(folder))
      const times = await timeSearches(web, 20_261_125, letterWord).finally(() => web.close())
      return {
        'fixed-corpus-build-s': relativeTo(limits.buildSeconds, 's', seconds),
        'fixed-corpus-search-p95-ms': relativeTo(limits.searchMs, 'ms', quantile(times, 0.95)),
        'fixed-corpus-memory-mb': relativeTo(limits.memoryMb, 'MB', peakMemoryMb()),
      }
    })
  },
}

function* writeTexts(): Generator<string> {
  const random = seededRandom(20_261_124)
  for (let docid = 0; docid < corpusTexts; docid++) {
    const url = `https://host-${docid % 997}.example.org/${docid}`
    yield `${JSON.stringify({ docid, url, text: drawText(random, letterWord) })}\n`
  }
}
