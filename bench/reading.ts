import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createDocumentReader } from '../retrieval/document-reader.ts'
import { readDocument } from '../retrieval/read-document.ts'
import { yieldToEventLoop } from '../src/core/runtime.ts'
import { readHtml } from '../tools/page/html-page.ts'
import {
  type Bench,
  type FigureFacts,
  type FigureTarget,
  type Measurement,
  rounded,
  skipped,
} from './figure.ts'
import { benchPython, readingFolder, runPython } from './parts/environment.ts'
import { withTemporaryFolder } from './parts/process.ts'
import {
  type ExpectedTable,
  type PdfTables,
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
} from './parts/reading-scores.ts'

/** The texts of the pages of each case. HTML has one page. */
type Texts = readonly (readonly string[])[]
type Reader = (cases: readonly ReadingCase<unknown>[]) => Promise<Texts>

interface ReadingFigure<Expected> {
  readonly target?: FigureTarget
  /** Our reader; that of web pages when it is missing. */
  readonly read?: Reader
  readonly count: (expected: Expected, pages: readonly string[]) => Count
}

interface ReadingCollection<Expected> {
  /** The repository on GitHub. */
  readonly repository: string
  readonly load: (clone: string) => readonly ReadingCase<Expected>[]
  /** What the cases are and, when it differs, what is counted in them. */
  readonly nouns: readonly [cases: string, counted?: string]
  /** The programs of reading_peers.py that suit the collection. */
  readonly peers: 'articles' | 'tables' | 'pdf'
  readonly figures: Readonly<Record<string, ReadingFigure<Expected>>>
}

/** A part of the bench: a collection whose figures are shares of what people marked. */
interface ReadingPart {
  readonly figures: Readonly<Record<string, FigureFacts>>
  measure(folder: string | null): Promise<Record<string, Measurement>>
}

const parts: readonly ReadingPart[] = [
  definePart({
    repository: 'scrapinghub/article-extraction-benchmark',
    load: readArticles,
    nouns: ['pages'],
    peers: 'articles',
    figures: {
      'reading-articles-precision': {
        target: { atLeast: 0.9 },
        count: (text, [page = '']) => ({ right: scoreText(text, page).precision, all: 1 }),
      },
      'reading-articles-recall': {
        target: { atLeast: 0.985 },
        count: (text, [page = '']) => ({ right: scoreText(text, page).recall, all: 1 }),
      },
    },
  }),
  definePart({
    repository: 'adbar/trafilatura',
    load: readPhrasePages,
    nouns: ['pages', 'phrases'],
    peers: 'articles',
    figures: {
      'reading-phrases-wanted': {
        target: { atLeast: 0.97 },
        count: ({ wanted }, [page = '']) => countPhrases(wanted, page),
      },
      'reading-phrases-unwanted': {
        target: { atMost: 0.2 },
        count: ({ unwanted }, [page = '']) => countPhrases(unwanted, page),
      },
    },
  }),
  definePart({
    repository: 'ppasupat/WikiTableQuestions',
    load: readTables,
    nouns: ['tables', 'cells'],
    peers: 'tables',
    figures: {
      'reading-tables-online': { target: { atLeast: 0.995 }, count: countCells },
      'reading-tables-offline': { target: { atLeast: 0.995 }, count: countCells, read: readAsDocuments },
    },
  }),
  definePdfPart('icdar', 'tabulapdf/tabula-java', readIcdarTables),
  definePdfPart('tabula', 'tabulapdf/tabula-java', readTabulaTables),
  definePdfPart('camelot', 'camelot-dev/camelot', readCamelotTables),
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
  figures: Object.assign({}, ...parts.map(part => part.figures)),
  async run() {
    const folder = readingFolder()
    const measurements: Record<string, Measurement> = {}
    for (const part of parts) Object.assign(measurements, await part.measure(folder))
    return measurements
  },
}

function definePdfPart(
  name: string,
  repository: string,
  load: (clone: string) => ReadingCase<PdfTables>[],
): ReadingPart {
  const figures = { [`reading-pdf-tables-${name}`]: { count: countTableRows, read: readPdfs } }
  return definePart({ repository, load, nouns: ['PDFs', 'rows'], peers: 'pdf', figures })
}

function definePart<Expected>(collection: ReadingCollection<Expected>): ReadingPart {
  const figures = Object.entries(collection.figures).map(([name, { target }]) => {
    return [name, { unit: 'share', ...(target !== undefined && { target }) }] as const
  })
  return { figures: Object.fromEntries(figures), measure: folder => measureCollection(collection, folder) }
}

async function measureCollection<Expected>(
  { repository, load, nouns, peers, figures }: ReadingCollection<Expected>,
  folder: string | null,
): Promise<Record<string, Measurement>> {
  const clone = join(folder ?? '', basename(repository))
  const hint = `put a clone of ${repository} into a folder and name the folder in TABLEHUNT_BENCH_READING`
  if (folder === null || !existsSync(clone))
    return Object.fromEntries(Object.keys(figures).map(name => [name, skipped(hint)]))
  const cases = load(clone)
  const peerTexts = await readByPeers(peers, cases)
  const ours = new Map<Reader, Texts>()
  const measurements: Record<string, Measurement> = {}
  for (const [name, { read = readAsPages, count, target }] of Object.entries(figures)) {
    const texts = ours.get(read) ?? (await read(cases))
    ours.set(read, texts)
    const total = (pages: Texts): Count =>
      sumCounts(cases.map(({ expected }, at) => count(expected, pages[at] ?? [])))
    const { right, all } = total(texts)
    const shares = peerTexts.map(([peer, pages]) => [peer, total(pages).right / all] as const)
    const [cased, counted] = nouns
    const what = `${cases.length} ${cased}${counted === undefined ? '' : `, ${all} ${counted}`}`
    const isLessBetter = target !== undefined && 'atMost' in target
    measurements[name] = compare(what, right / all, shares, isLessBetter ? Math.min : Math.max)
  }
  return measurements
}

function sumCounts(counts: readonly Count[]): Count {
  return counts.reduce((sum, { right, all }) => ({ right: sum.right + right, all: sum.all + all }), {
    right: 0,
    all: 0,
  })
}

function compare(
  what: string,
  value: number,
  peers: readonly (readonly [name: string, share: number])[],
  findBest: (...shares: number[]) => number,
): Measurement {
  const hint =
    'no peer, name a Python with trafilatura, pandas, pdfplumber or others in TABLEHUNT_BENCH_PYTHON'
  const shares = peers.map(([name, share]) => `${name} ${rounded(share)}`).join(', ') || hint
  const best = peers.length === 0 ? 0 : findBest(...peers.map(([, share]) => share))
  return {
    value,
    against: `${what}, measured in the same run: ${shares}`,
    ratio: best === 0 ? null : value / best,
  }
}

function countCells(rows: ExpectedTable, pages: readonly string[]): Count {
  return countRightCells(rows, pages.join('\n'))
}

function countTableRows(tables: PdfTables, pages: readonly string[]): Count {
  const textAt = (page: number | null): string => (page === null ? pages.join('\n') : (pages[page - 1] ?? ''))
  return sumCounts(tables.map(({ page, rows }) => countRightRows(rows, textAt(page))))
}

/**
 * Returns the main text of each page. The event loop runs between pages: until then, the parsed pages cannot be freed, and
 * most of the time would go to collecting garbage.
 */
async function readAsPages(cases: readonly ReadingCase<unknown>[]): Promise<Texts> {
  const texts: string[][] = []
  for (const { source, url } of cases) {
    texts.push([readHtml(source, url).main.text])
    await yieldToEventLoop()
  }
  return texts
}

async function readAsDocuments(cases: readonly ReadingCase<unknown>[]): Promise<Texts> {
  const documents = cases.map(({ source }) => readDocument({ format: 'html', bytes: Buffer.from(source) }))
  return (await Promise.all(documents)).map(({ pages }) => pages.map(({ text }) => text))
}

async function readPdfs(cases: readonly ReadingCase<unknown>[]): Promise<Texts> {
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
async function readByPeers(
  kind: ReadingCollection<never>['peers'],
  cases: readonly ReadingCase<unknown>[],
): Promise<[peer: string, Texts][]> {
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
