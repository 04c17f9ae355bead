import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import PdfDocument from 'pdfkit'
import { seededRandom } from '../src/core/runtime.ts'
import { builtModule } from '../src/system/paths.ts'
import { type Bench, type BenchFigure, skipped } from './figure.ts'
import { benchDocuments, pdfsIn } from './parts/documents.ts'
import { type ProcessCost, runProcess } from './parts/process.ts'
import type { ReadPdfsCost, ReadPdfsInput } from './parts/read-pdfs.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 3
const [manyPages, fewPages] = [2_000, 200]

type OurCost = ProcessCost & ReadPdfsCost

/** PDF to text: our reader in one process without a cache, in turn with one pdftotext process per document. */
export const pdf: Bench = {
  summary: 'PDF to text, as whole processes without a cache',
  read: `The ratio is our speed on two threads relative to pdftotext on one. On a busy machine read pdf-cpu-ratio. The ratio of pdf-memory-mb-${manyPages}-pages is relative to ${fewPages} pages.`,
  why: 'It decides how long a first run over many PDFs takes to start.',
  notes: [
    'About 85% of the processor time of a thread is spent inside PDFium, which is compiled to WebAssembly.',
    'The memory of a long document contains its file twice, and its text.',
  ],
  figures: [
    'pdf-pages-ratio',
    'pdf-cpu-ratio',
    'pdf-pages-per-second',
    'pdf-memory-mb',
    `pdf-memory-mb-${manyPages}-pages`,
  ],
  targets: {
    'pdf-pages-ratio': { atLeast: 1 },
    'pdf-cpu-ratio': { atLeast: 0.5 },
    [`pdf-memory-mb-${manyPages}-pages`]: { atMost: 1.5, of: 'ratio' },
  },
  async run() {
    const { folder, name } = benchDocuments()
    const files = await pdfsIn(folder)
    const problem = await pdftotextProblem()
    const ours: OurCost[] = []
    const theirs: ProcessCost[] = []
    for (let turn = 0; turn < repetitions; turn++) {
      ours.push(await readOurs(folder))
      if (problem === null) theirs.push(await readTheirs(files))
    }
    return [
      ...comparison(ours, theirs, problem),
      ...own(ours, `${files.length} PDFs, ${name}`),
      await memoryOfLongPdf(),
    ]
  },
}

async function memoryOfLongPdf(): Promise<BenchFigure> {
  const [few, many] = [await measurePeak(fewPages), await measurePeak(manyPages)]
  return {
    figure: `pdf-memory-mb-${manyPages}-pages`,
    value: rounded(many, 0),
    unit: 'MB',
    against: `${fewPages} pages, measured in the same run: ${rounded(few, 0)} MB; one generated PDF`,
    ratio: rounded(many / few, 2),
  }
}

async function measurePeak(pages: number): Promise<number> {
  return await withTemporaryFolder(async folder => {
    await writeLongPdf(join(folder, 'long.pdf'), pages)
    const cost = await readOurs(folder)
    if (cost.pages !== pages) throw new Error(`${cost.pages} of ${pages} pages were read`)
    return cost.peakMb
  })
}

async function pdftotextProblem(): Promise<string | null> {
  try {
    await promisify(execFile)('pdftotext', ['-v'])
    return null
  } catch {
    return 'pdftotext is not installed (apt-get install poppler-utils poppler-data)'
  }
}

async function readOurs(folder: string): Promise<OurCost> {
  return await withTemporaryFolder(async temporary => {
    const input: ReadPdfsInput = { folder, cacheFolder: join(temporary, 'texts') }
    const cost = await runProcess([
      process.execPath,
      builtModule('bench/parts/read-pdfs.js'),
      JSON.stringify(input),
    ])
    return { ...cost, ...(JSON.parse(cost.stdout) as ReadPdfsCost) }
  })
}

async function readTheirs(files: readonly string[]): Promise<ProcessCost> {
  const script = 'for file; do pdftotext -q "$file" /dev/null || exit 1; done'
  return await runProcess(['sh', '-c', script, 'sh', ...files])
}

function comparison(
  ours: readonly OurCost[],
  theirs: readonly ProcessCost[],
  problem: string | null,
): BenchFigure[] {
  if (problem !== null)
    return [
      skipped('pdf-pages-ratio', 'x pdftotext', problem),
      skipped('pdf-cpu-ratio', 'x pdftotext', problem),
    ]
  const pages = ours[0]?.pages ?? 0
  const figure = (name: string, cost: 'wallMs' | 'cpuMs', clock: string): BenchFigure => {
    const [mine, theirCost] = [
      median(ours.map(process => process[cost])),
      median(theirs.map(process => process[cost])),
    ]
    return {
      figure: name,
      value: rounded(theirCost / mine, 3),
      unit: 'x pdftotext',
      against: `pdftotext, measured in the same run: ${rounded((pages / theirCost) * 1_000, 0)} pages per ${clock}; ours: ${rounded((pages / mine) * 1_000, 0)}`,
      ratio: rounded(theirCost / mine, 3),
    }
  }
  return [figure('pdf-pages-ratio', 'wallMs', 'second'), figure('pdf-cpu-ratio', 'cpuMs', 'CPU second')]
}

function own(ours: readonly OurCost[], what: string): BenchFigure[] {
  const speed = median(ours.map(cost => (cost.pages / cost.wallMs) * 1_000))
  const peak = median(ours.map(cost => cost.peakMb))
  return [
    {
      figure: 'pdf-pages-per-second',
      value: rounded(speed, 1),
      unit: 'pages / s',
      against: what,
      ratio: null,
    },
    { figure: 'pdf-memory-mb', value: rounded(peak, 0), unit: 'MB', against: what, ratio: null },
  ]
}

const [linesPerPage, wordsPerLine] = [48, 11]
const pdfWords =
  'the agreement lender borrower shall interest rate of period date amount under section and notice payment'.split(
    ' ',
  )

/** Writes a PDF of generated prose. The pages of a shorter PDF are the first pages of a longer one. */
async function writeLongPdf(file: string, pages: number): Promise<void> {
  const random = seededRandom(20_261_126)
  const document = new PdfDocument({ autoFirstPage: false, size: 'A4' })
  const written = pipeline(document, createWriteStream(file))
  for (let page = 1; page <= pages; page++) {
    document.addPage().font('Times-Roman').fontSize(10)
    for (let line = 0; line < linesPerPage; line++) {
      const text = Array.from(
        { length: wordsPerLine },
        () => pdfWords[Math.floor(random() * pdfWords.length)],
      )
      document.text(`${page}.${line} ${text.join(' ')}`, 60, 60 + line * 14, { lineBreak: false })
    }
  }
  document.end()
  await written
}
