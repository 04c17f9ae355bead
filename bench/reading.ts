import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createDocumentReader } from '../retrieval/document-reader.ts'
import { readDocument } from '../retrieval/read-document.ts'
import { yieldToEventLoop } from '../src/core/runtime.ts'
import { packageRoot } from '../src/system/paths.ts'
import { readHtml } from '../tools/page/html-page.ts'
import { type Bench, type BenchFigure, skipped } from './figure.ts'
import { countRightRows } from './parts/pdf-table-scores.ts'
import { runProcess } from './parts/process.ts'
import { benchPython } from './parts/python-chroma.ts'
import {
  type PdfTables,
  readArticles,
  readCamelotTables,
  readingFolder,
  readPdfTables,
  readPhrasePages,
  readTables,
} from './parts/read-collections.ts'
import { countPhrases, countRightCells, scoreText } from './parts/reading-scores.ts'
import { rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

/** The name of a reader with the texts that it made of the pages, in their order. */
type Texts = readonly [reader: string, texts: readonly string[]]

/** How much of public collections of pages and tables the readers of the settings keep, beside other programs. */
export const reading: Bench = {
  summary: 'Articles and tables of public collections as the settings read them, beside Python packages',
  read: 'Articles are compared with the marked text by runs of four words. For phrases, the figure is the share of wanted or of unwanted phrases in the main text. For tables, it is the share of cells in the right row and column, and for tables of PDFs the share of rows with all values in the right columns. The ratio is relative to the best peer.',
  why: 'A value that a reader drops or moves to another column cannot be found by any model.',
  notes: [
    'The rules for articles and phrases were adjusted on these same pages, so these figures show changes of our reader, not what it does on other pages.',
    'Shares do not depend on the machine. They may be recorded on another one than the rest of this page.',
    "The files of camelot's tests were chosen with our results at hand, so their figure shows changes of our reader and compares no programs. Rules for tables of PDFs were checked on all of ICDAR 2013 and of tabula's tests.",
  ],
  figures: [
    'reading-articles-precision',
    'reading-articles-recall',
    'reading-phrases-wanted',
    'reading-phrases-unwanted',
    'reading-tables-online',
    'reading-tables-offline',
    'reading-pdf-tables-icdar',
    'reading-pdf-tables-tabula',
    'reading-pdf-tables-camelot',
  ],
  targets: {
    'reading-articles-precision': { atLeast: 0.9 },
    'reading-articles-recall': { atLeast: 0.985 },
    'reading-phrases-wanted': { atLeast: 0.97 },
    'reading-phrases-unwanted': { atMost: 0.2 },
    'reading-tables-online': { atLeast: 0.995 },
    'reading-tables-offline': { atLeast: 0.995 },
  },
  async run() {
    const folder = readingFolder()
    return [
      ...(await articleFigures(folder)),
      ...(await phraseFigures(folder)),
      ...(await tableFigures(folder)),
      ...(await pdfTableFigures(folder)),
    ]
  },
}

const hint = (collection: string): string =>
  `put a clone of ${collection} into a folder and name the folder in TABLEHUNT_BENCH_READING`

async function articleFigures(folder: string | null): Promise<BenchFigure[]> {
  const [precision, recall] = ['reading-articles-precision', 'reading-articles-recall']
  const pages = folder === null ? null : readArticles(folder)
  if (pages === null)
    return [precision, recall].map(name =>
      skipped(name, 'share', hint('scrapinghub/article-extraction-benchmark')),
    )
  const html = pages.map(page => page.html)
  const peers = readByPeers('articles', html)
  const ours: Texts = ['ours', await readMainTexts(pages)]
  const scores = [ours, ...(await peers)].map(([reader, texts]) => {
    const pageScores = texts.map((text, at) => scoreText(pages[at]!.expected, text))
    return {
      reader,
      precision: mean(pageScores.map(score => score.precision)),
      recall: mean(pageScores.map(score => score.recall)),
    }
  })
  const what = `${pages.length} pages`
  return [
    writeFigure(
      precision,
      what,
      scores.map(score => [score.reader, score.precision]),
    ),
    writeFigure(
      recall,
      what,
      scores.map(score => [score.reader, score.recall]),
    ),
  ]
}

async function phraseFigures(folder: string | null): Promise<BenchFigure[]> {
  const names = ['reading-phrases-wanted', 'reading-phrases-unwanted'] as const
  const pages = folder === null ? null : readPhrasePages(folder)
  if (pages === null) return names.map(name => skipped(name, 'share', hint('adbar/trafilatura')))
  const peers = readByPeers(
    'articles',
    pages.map(page => page.html),
  )
  const ours: Texts = ['ours', await readMainTexts(pages)]
  const readers = [ours, ...(await peers)]
  return (['wanted', 'unwanted'] as const).map((kind, at) => {
    const phrases = pages.reduce((sum, page) => sum + page[kind].length, 0)
    const shares = readers.map(([reader, texts]) => {
      const phraseCount = pages.reduce(
        (sum, page, index) => sum + countPhrases(page[kind], texts[index] ?? ''),
        0,
      )
      return [reader, phraseCount / phrases] as const
    })
    return writeFigure(
      names[at]!,
      `${pages.length} pages, ${phrases} phrases`,
      shares,
      kind === 'wanted' ? Math.max : Math.min,
    )
  })
}

async function tableFigures(folder: string | null): Promise<BenchFigure[]> {
  const [online, offline] = ['reading-tables-online', 'reading-tables-offline']
  const tables = folder === null ? null : readTables(folder)
  if (tables === null)
    return [online, offline].map(name => skipped(name, 'share', hint('ppasupat/WikiTableQuestions')))
  const cells = tables.reduce((sum, { rows }) => sum + rows.flat().length, 0)
  const share = (texts: readonly string[]): number =>
    texts.reduce((sum, text, at) => sum + countRightCells(tables[at]!.rows, text), 0) / cells
  const pages = tables.map(({ html }) => `<!doctype html><meta charset="utf-8"><title>Table</title>${html}`)
  const peers = (await readByPeers('tables', pages)).map(([reader, texts]) => [reader, share(texts)] as const)
  const documents = await Promise.all(
    pages.map(async page => {
      const { pages: parts } = await readDocument({ format: 'html', bytes: Buffer.from(page) })
      return parts.map(part => part.text).join('\n')
    }),
  )
  const what = `${tables.length} tables, ${cells} cells`
  const shown = await readMainTexts(pages.map(html => ({ html, url: 'https://tables.test/' })))
  return [
    writeFigure(online, what, [['ours', share(shown)], ...peers]),
    writeFigure(offline, what, [['ours', share(documents)], ...peers]),
  ]
}

async function pdfTableFigures(folder: string | null): Promise<BenchFigure[]> {
  const tabula = folder === null ? null : readPdfTables(folder)
  const collections = {
    icdar: ['tabulapdf/tabula-java', tabula?.icdar],
    tabula: ['tabulapdf/tabula-java', tabula?.tabula],
    camelot: ['camelot-dev/camelot', folder === null ? null : readCamelotTables(folder)],
  } as const
  const figures: BenchFigure[] = []
  for (const [name, [source, files]] of Object.entries(collections)) {
    const figure = `reading-pdf-tables-${name}`
    if (files === null || files === undefined) {
      figures.push(skipped(figure, 'share', hint(source)))
      continue
    }
    const paths = files.map(({ path }) => path)
    const readers = [['ours', await readPdfs(paths)] as const, ...(await readByPeers('pdf', paths))]
    const counts = readers.map(([reader, documents]) => [reader, countTableRows(files, documents)] as const)
    const what = `${files.length} PDFs, ${counts[0]![1].rows} rows`
    figures.push(
      writeFigure(
        figure,
        what,
        counts.map(([reader, { right, rows }]) => [reader, right / Math.max(1, rows)]),
      ),
    )
  }
  return figures
}

/** Returns the text of each page of each PDF. */
async function readPdfs(paths: readonly string[]): Promise<string[][]> {
  return await withTemporaryFolder(async cacheFolder => {
    const reader = createDocumentReader({ cacheFolder })
    const documents: string[][] = []
    for (const path of paths) {
      const { pages } = await reader.read(await readFile(path), basename(path))
      documents.push(pages.map(({ text }) => text))
    }
    await reader.close()
    return documents
  })
}

function countTableRows(
  files: readonly PdfTables[],
  documents: readonly (readonly string[])[],
): { right: number; rows: number } {
  const sum = { right: 0, rows: 0 }
  for (const [index, { tables }] of files.entries()) {
    const pages = documents[index] ?? []
    for (const { page, rows } of tables) {
      const counts = countRightRows(rows, page === null ? pages.join('\n') : (pages[page - 1] ?? ''))
      sum.right += counts.right
      sum.rows += counts.rows
    }
  }
  return sum
}

/**
 * Returns the main text of each page. The event loop runs between pages: until then, the parsed pages cannot be freed, and
 * most of the time would go to collecting garbage.
 */
async function readMainTexts(
  pages: readonly { readonly html: string; readonly url: string }[],
): Promise<string[]> {
  const texts: string[] = []
  for (const { html, url } of pages) {
    texts.push(readHtml(html, url).main.text)
    await yieldToEventLoop()
  }
  return texts
}

/**
 * Reads pages or PDFs with the packages of TABLEHUNT_BENCH_PYTHON that suit them; nothing without it.
 *
 * @param sources HTML, or the paths of PDFs
 * @returns a text for each page of HTML, or the texts of the pages of each PDF
 */
async function readByPeers(kind: 'articles' | 'tables', sources: readonly string[]): Promise<Texts[]>
async function readByPeers(kind: 'pdf', sources: readonly string[]): Promise<[string, string[][]][]>
async function readByPeers(kind: string, sources: readonly string[]): Promise<unknown> {
  const python = benchPython()
  if (python === null) return []
  return await withTemporaryFolder(async folder => {
    const file = join(folder, 'sources.jsonl')
    await writeFile(file, sources.map(source => `${JSON.stringify(source)}\n`).join(''))
    const script = join(packageRoot, 'bench', 'parts', 'reading_peers.py')
    const { stdout } = await runProcess([python, script, kind, file])
    return Object.entries(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as object)
  })
}

function writeFigure(
  figure: string,
  what: string,
  [ours, ...peers]: readonly (readonly [reader: string, share: number])[],
  findBest: (...shares: number[]) => number = Math.max,
): BenchFigure {
  const value = ours?.[1] ?? 0
  const best = peers.length === 0 ? 0 : findBest(...peers.map(([, share]) => share))
  const peerShares = peers.map(([reader, share]) => `${reader} ${rounded(share, 3)}`).join(', ')
  return {
    figure,
    value: rounded(value, 4),
    unit: 'share',
    against: `${what}, measured in the same run: ${peerShares || 'no peer, name a Python with trafilatura, pandas, pdfplumber or others in TABLEHUNT_BENCH_PYTHON'}`,
    ratio: best === 0 ? null : rounded(value / best, 3),
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
