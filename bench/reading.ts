import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createDocumentReader } from '../retrieval/document-reader.ts'
import { readDocument } from '../retrieval/read-document.ts'
import { yieldToEventLoop } from '../src/core/runtime.ts'
import { readHtml } from '../tools/page/html-page.ts'
import { type Bench, type FigureTarget, type Measurement, rounded, skipped } from './figure.ts'
import { benchPython, readingFolder, runPython } from './parts/environment.ts'
import { withTemporaryFolder } from './parts/process.ts'
import {
  type PdfTables,
  type Phrases,
  type ReadingCase,
  readArticles,
  readCamelotTables,
  readIcdarTables,
  readPhrasePages,
  readTables,
  readTabulaTables,
} from './parts/reading-collections.ts'
import {
  type Count,
  countPhrases,
  countRightCells,
  countRightRows,
  scoreText,
  sumCounts,
} from './parts/reading-scores.ts'

/** The texts of the pages of each case. HTML has one page. */
type Texts = readonly (readonly string[])[]
type Cases = readonly ReadingCase<unknown>[]
type Reader = (cases: Cases) => Promise<Texts>

/** A public collection, and the figures that are shares of what people marked in it. */
interface Collection {
  /** The repository on GitHub. */
  readonly repository: string
  readonly load: (clone: string) => Cases
  /** What the cases are, and what is counted in them. */
  readonly nouns: readonly [cases: string, counted: string]
  /** The programs of reading_peers.py that suit the collection. */
  readonly peers: 'articles' | 'tables' | 'pdf'
  readonly figures: Readonly<Record<string, CollectionFigure>>
}

interface CollectionFigure {
  readonly target?: FigureTarget
  /** Our reader; that of web pages when it is missing. */
  readonly read?: Reader
  /** `expected` is what people marked in a case of this collection. */
  count(expected: unknown, pages: readonly string[]): Count
}

function pdfCollection(name: string, repository: string, load: Collection['load']): Collection {
  const figures = { [`reading-pdf-tables-${name}`]: { read: readPdfs, count: countTableRows } }
  return { repository, load, nouns: ['PDFs', 'rows'], peers: 'pdf', figures }
}

const collections: readonly Collection[] = [
  {
    repository: 'scrapinghub/article-extraction-benchmark',
    load: readArticles,
    peers: 'articles',
    nouns: ['pages', 'articles'],
    figures: {
      'reading-articles-precision': {
        target: { atLeast: 0.9 },
        count: (text: string, [page = '']) => ({ right: scoreText(text, page).precision, all: 1 }),
      },
      'reading-articles-recall': {
        target: { atLeast: 0.985 },
        count: (text: string, [page = '']) => ({ right: scoreText(text, page).recall, all: 1 }),
      },
    },
  },
  {
    repository: 'adbar/trafilatura',
    load: readPhrasePages,
    peers: 'articles',
    nouns: ['pages', 'phrases'],
    figures: {
      'reading-phrases-wanted': {
        target: { atLeast: 0.97 },
        count: ({ wanted }: Phrases, [page = '']) => countPhrases(wanted, page),
      },
      'reading-phrases-unwanted': {
        target: { atMost: 0.2 },
        count: ({ unwanted }: Phrases, [page = '']) => countPhrases(unwanted, page),
      },
    },
  },
  {
    repository: 'ppasupat/WikiTableQuestions',
    load: readTables,
    peers: 'tables',
    nouns: ['tables', 'cells'],
    figures: {
      'reading-tables-online': { target: { atLeast: 0.995 }, count: countRightCells },
      'reading-tables-offline': {
        target: { atLeast: 0.995 },
        read: readAsDocuments,
        count: countRightCells,
      },
    },
  },
  pdfCollection('icdar', 'tabulapdf/tabula-java', readIcdarTables),
  pdfCollection('tabula', 'tabulapdf/tabula-java', readTabulaTables),
  pdfCollection('camelot', 'camelot-dev/camelot', readCamelotTables),
]

/** How much of public collections of pages and tables the readers of the settings keep, beside other programs. */
export const reading: Bench = {
  summary: 'Articles and tables of public collections as the settings read them, beside Python packages',
  read: 'Articles are compared with the marked text by runs of four words. For phrases, the figure is the share of wanted or of unwanted phrases in the main text. For tables, it is the share of cells in the right row and column, and for tables of PDFs the share of rows with all values in the right columns. The ratio is relative to the best peer. A value that a reader drops or moves to another column cannot be found by any model.',
  notes: [
    'The rules for articles and phrases were adjusted on these same pages, so these figures show changes of our reader, not what it does on other pages.',
    'Shares do not depend on the machine. They may be recorded on another one than the rest of this page.',
    "The files of camelot's tests were chosen with our results at hand, so their figure shows changes of our reader and compares no programs. Rules for tables of PDFs were checked on all of ICDAR 2013 and of tabula's tests.",
  ],
  figures: Object.fromEntries(
    collections.flatMap(({ figures }) =>
      Object.entries(figures).map(([name, { target }]) => [
        name,
        { unit: 'share', ...(target && { target }) },
      ]),
    ),
  ),
  async run() {
    const measurements: Record<string, Measurement> = {}
    for (const collection of collections) Object.assign(measurements, await measureCollection(collection))
    return measurements
  },
}

async function measureCollection(collection: Collection): Promise<Record<string, Measurement>> {
  const { repository, load, nouns, peers, figures } = collection
  const clone = join(readingFolder() ?? '', basename(repository))
  const hint = `put a clone of ${repository} into a folder and name the folder in TABLEHUNT_BENCH_READING`
  if (readingFolder() === null || !existsSync(clone))
    return Object.fromEntries(Object.keys(figures).map(name => [name, skipped(hint)]))
  const cases = load(clone)
  const peerTexts = await readByPeers(peers, cases)
  const measurements: Record<string, Measurement> = {}
  const ours = new Map<Reader, Texts>()
  for (const [name, { read = readAsPages, count, target }] of Object.entries(figures)) {
    const texts = ours.get(read) ?? (await read(cases))
    ours.set(read, texts)
    const total = (documents: Texts): Count =>
      sumCounts(cases.map(({ expected }, at) => count(expected, documents[at] ?? [])))
    const { right, all } = total(texts)
    const shares = peerTexts.map(([peer, documents]) => [peer, total(documents).right / all] as const)
    const peerText = shares.map(([peer, share]) => `${peer} ${rounded(share)}`).join(', ') || noPeer
    const findBest = target !== undefined && 'atMost' in target ? Math.min : Math.max
    const best = shares.length === 0 ? 0 : findBest(...shares.map(([, share]) => share))
    measurements[name] = {
      value: right / all,
      against: `${cases.length} ${nouns[0]}, ${all} ${nouns[1]}, measured in the same run: ${peerText}`,
      ratio: best === 0 ? null : right / all / best,
    }
  }
  return measurements
}

const noPeer =
  'no peer, name a Python with trafilatura, pandas, pdfplumber or others in TABLEHUNT_BENCH_PYTHON'

function countTableRows(tables: PdfTables, pages: readonly string[]): Count {
  const pagesWith = (page: number | null): readonly string[] =>
    page === null ? pages : pages.slice(page - 1, page)
  return sumCounts(tables.map(({ page, rows }) => countRightRows(rows, pagesWith(page).join('\n'))))
}

/**
 * Returns the main text of each page. The event loop runs between pages: until then, the parsed pages cannot be freed, and
 * most of the time would go to collecting garbage.
 */
async function readAsPages(cases: Cases): Promise<Texts> {
  const texts: string[][] = []
  for (const { source, url = '' } of cases) {
    texts.push([readHtml(source, url).main.text])
    await yieldToEventLoop()
  }
  return texts
}

async function readAsDocuments(cases: Cases): Promise<Texts> {
  const documents = cases.map(({ source }) => readDocument({ format: 'html', bytes: Buffer.from(source) }))
  return (await Promise.all(documents)).map(({ pages }) => pages.map(({ text }) => text))
}

async function readPdfs(cases: Cases): Promise<Texts> {
  return await withTemporaryFolder(async cacheFolder => {
    const reader = createDocumentReader({ cacheFolder })
    const documents: string[][] = []
    for (const { source } of cases) {
      const { pages } = await reader.read(await readFile(source), basename(source))
      documents.push(pages.map(({ text }) => text))
    }
    await reader.close()
    return documents
  })
}

/** Reads with the packages of TABLEHUNT_BENCH_PYTHON; with none without it. */
async function readByPeers(kind: Collection['peers'], cases: Cases): Promise<[peer: string, Texts][]> {
  const python = benchPython()
  if (python === null) return []
  return await withTemporaryFolder(async folder => {
    const file = join(folder, 'sources.jsonl')
    await writeFile(file, cases.map(({ source }) => `${JSON.stringify(source)}\n`).join(''))
    const texts = await runPython<Record<string, (string | string[])[]>>(python, 'reading_peers.py', [
      kind,
      file,
    ])
    return Object.entries(texts).map(([peer, documents]) => [peer, documents.map(pages => [pages].flat())])
  })
}
