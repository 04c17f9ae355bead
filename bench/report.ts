import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findBrowser } from '../tools/page/browser-path.ts'
import { type Bench, type BenchFigure, relativeTo, skipped } from './figure.ts'
import type { ReportCost, ReportCostInput } from './parts/make-report.ts'
import { runModule } from './parts/process.ts'
import type { BenchCampaign, CampaignCost } from './parts/run-campaign.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const sizes = [100, 1_000, 5_000] as const
const steps = 4
const openings = 3
/** The targets of the largest report. */
const limits = { 'make-ms': 5_000, 'memory-mb': 600, 'file-mb': 25, 'open-ms': 1_500 }
type CostName = keyof typeof limits
const costNames = Object.keys(limits) as CostName[]

/** What the HTML report costs: to make it in a process of its own, as a file, and to open it in Chromium. */
export const report: Bench = {
  summary: `HTML reports of ${sizes.join(', ')} attempts of ${steps} steps: time and memory to make, size, and time to open`,
  read: 'The ratio is relative to the target of the largest report. A report is open when its first screen is drawn, without the start of Chromium.',
  why: 'A large report should be quick to make and to open.',
  notes: [
    'Much of the time to make a report is reading and compressing the data of each attempt.',
    'A second process hardly helps on two cores, because both compile and optimise the same code: the pages of 5,000 attempts took 4.6 s in one process, and 3.7 to 4.1 s in two with half of the attempts each.',
  ],
  figures: sizes.flatMap(size => costNames.map(name => `report-${size}-${name}`)),
  targets: Object.fromEntries(
    costNames.map(name => [`report-${sizes.at(-1)}-${name}`, { atMost: limits[name] }]),
  ),
  async run() {
    const figures: BenchFigure[] = []
    for (const size of sizes) figures.push(...(await withTemporaryFolder(folder => measure(folder, size))))
    return figures
  },
}

async function measure(folder: string, attempts: number): Promise<BenchFigure[]> {
  const times = { turnMs: 0, webMs: 0, answerMs: 0 }
  const campaign: BenchCampaign = { folder, attempts, steps, concurrency: 16, ...times }
  await runModule<CampaignCost>('parts/run-campaign.js', campaign)
  const run: ReportCostInput = { folder: join(folder, 'run') }
  const cost = await runModule<ReportCost>('parts/make-report.js', run)
  const figure = (name: CostName, value: number, unit: string): BenchFigure =>
    relativeTo(limits[name], {
      figure: `report-${attempts}-${name}`,
      value: rounded(value, unit === 'ms' ? 0 : 1),
      unit,
    })
  return [
    figure('make-ms', cost.makeMs, 'ms'),
    figure('memory-mb', cost.peakMb, 'MB'),
    figure('file-mb', cost.fileMb, 'MB'),
    await openFigure(cost.file, `report-${attempts}-open-ms`, value => figure('open-ms', value, 'ms')),
  ]
}

async function openFigure(
  file: string,
  name: string,
  figureOf: (openMs: number) => BenchFigure,
): Promise<BenchFigure> {
  const place = await findBrowser({
    flag: null,
    variable: process.env.TABLEHUNT_CHROMIUM ?? null,
    searchPath: process.env.PATH ?? '',
  })
  if (place === null) return skipped(name, 'ms', 'no Chromium found')
  return figureOf(await openReport(file, place.path))
}

/** Measures how long a report needs from its address to the drawn first screen, in milliseconds. Median of three. */
async function openReport(file: string, executablePath: string): Promise<number> {
  const { chromium } = await import('playwright')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const times: number[] = []
    for (let turn = 0; turn < openings; turn++) {
      const page = await browser.newPage()
      const startedAt = performance.now()
      await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' })
      await page.locator('.arms').waitFor()
      // The frame after the next one has been painted.
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      times.push(performance.now() - startedAt)
      await page.close()
    }
    return median(times)
  } finally {
    await browser.close()
  }
}
