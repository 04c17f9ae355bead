import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createDocumentReader } from '../retrieval/document-reader.ts'
import { seededRandom } from '../src/core/runtime.ts'
import { findProgram } from '../src/system/find-program.ts'
import { type Bench, type Measurement, rounded, skipped } from './figure.ts'
import { benchDocuments, listPdfs } from './parts/environment.ts'
import { callInProcess, peakMemoryMb, repeat, runProcess, withTemporaryFolder } from './parts/process.ts'
import { median } from './parts/statistics.ts'

const [manyPages, fewPages] = [2_000, 200]
const longPdfFigure = `pdf-memory-mb-${manyPages}-pages`

/** PDF to text: our reader in one process without a cache, in turn with one pdftotext process per document. */
export const pdf: Bench = {
  summary: 'PDF to text, as whole processes without a cache',
  read: `The ratio is our speed on two threads relative to pdftotext on one. On a busy machine read pdf-cpu-ratio. The ratio of ${longPdfFigure} is relative to ${fewPages} pages. It decides how long a first run over many PDFs takes to start.`,
  notes: [
    'About 85% of the processor time of a thread is spent inside PDFium, which is compiled to WebAssembly.',
    'The memory of a long document contains its file twice, and its text.',
  ],
  figures: {
    'pdf-pages-ratio': { unit: 'x pdftotext', target: { atLeast: 1 } },
    'pdf-cpu-ratio': { unit: 'x pdftotext', target: { atLeast: 0.5 } },
    'pdf-pages-per-second': { unit: 'pages / s' },
    'pdf-memory-mb': { unit: 'MB' },
    [longPdfFigure]: { unit: 'MB', target: { atMost: 1.5, of: 'ratio' } },
  },
  async run() {
    const { folder, name } = benchDocuments()
    const files = await listPdfs(folder)
    const hasPeer = findProgram('pdftotext', { path: process.env.PATH ?? '' }) !== null
    const turns = await repeat(3, async () => ({
      ours: await measureReading(folder),
      peer: hasPeer ? await runProcess(['sh', '-c', pdftotextScript, 'sh', ...files]) : null,
    }))
    const ours = turns.map(turn => turn.ours)
    const compare = (time: 'wallMs' | 'cpuMs', clock: string): Measurement => {
      if (!hasPeer) return skipped('pdftotext is not installed (apt-get install poppler-utils poppler-data)')
      const [ourMs, peerMs] = [
        median(ours.map(cost => cost[time])),
        median(turns.map(({ peer }) => peer![time])),
      ]
      const speed = (ms: number): number => rounded((ours[0]!.pages / ms) * 1_000)
      const against = `pdftotext, measured in the same run: ${speed(peerMs)} pages per ${clock}; ours: ${speed(ourMs)}`
      return { value: peerMs / ourMs, against, ratio: peerMs / ourMs }
    }
    const against = `${files.length} PDFs, ${name}`
    const speed = median(ours.map(({ pages, wallMs }) => (pages / wallMs) * 1_000))
    return {
      'pdf-pages-ratio': compare('wallMs', 'second'),
      'pdf-cpu-ratio': compare('cpuMs', 'CPU second'),
      'pdf-pages-per-second': { value: speed, against, ratio: null },
      'pdf-memory-mb': { value: median(ours.map(cost => cost.peakMb)), against, ratio: null },
      [longPdfFigure]: await measureLongPdfs(),
    }
  },
}

const pdftotextScript = 'for file; do pdftotext -q "$file" /dev/null || exit 1; done'

async function measureReading(folder: string) {
  return await withTemporaryFolder(async cacheFolder => {
    const { result, cost } = await callInProcess(import.meta.url, readPdfs, { folder, cacheFolder })
    return { ...cost, ...result }
  })
}

/** Reads every PDF of a folder with two threads, as a run does. */
export async function readPdfs({ folder, cacheFolder }: { folder: string; cacheFolder: string }) {
  const reader = createDocumentReader({ cacheFolder })
  const reading = (await listPdfs(folder)).map(async file =>
    reader.read(await readFile(file), basename(file)),
  )
  const documents = await Promise.all(reading)
  await reader.close()
  return { pages: documents.flatMap(({ pages }) => pages).length, peakMb: peakMemoryMb() }
}

async function measureLongPdfs(): Promise<Measurement> {
  const measurePeakMb = async (pages: number): Promise<number> =>
    await withTemporaryFolder(async folder => {
      await writeLongPdf(join(folder, 'long.pdf'), pages)
      const cost = await measureReading(folder)
      if (cost.pages !== pages) throw new Error(`${cost.pages} of ${pages} pages were read`)
      return cost.peakMb
    })
  const [few, many] = [await measurePeakMb(fewPages), await measurePeakMb(manyPages)]
  const against = `${fewPages} pages, measured in the same run: ${rounded(few)} MB; one generated PDF`
  return { value: many, against, ratio: many / few }
}

const prose =
  'the agreement lender borrower shall interest rate of period date amount under section and notice payment'
const words = prose.split(' ')

/** Writes a PDF of generated prose. The pages of a shorter PDF are the first pages of a longer one. */
async function writeLongPdf(file: string, pages: number): Promise<void> {
  const { default: PdfDocument } = await import('pdfkit')
  const random = seededRandom(20_261_126)
  const document = new PdfDocument({ autoFirstPage: false, size: 'A4' })
  const written = pipeline(document, createWriteStream(file))
  for (let page = 1; page <= pages; page++) {
    document.addPage().font('Times-Roman').fontSize(10)
    for (let line = 0; line < 48; line++) {
      const text = Array.from({ length: 11 }, () => words[Math.floor(random() * words.length)])
      document.text(`${page}.${line} ${text.join(' ')}`, 60, 60 + line * 14, { lineBreak: false })
    }
  }
  document.end()
  await written
}
