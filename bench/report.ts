import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findBrowser } from '../tools/page/browser-path.ts'
import { type Bench, type Measurement, relativeTo, skipped } from './figure.ts'
import { measureCampaign } from './parts/campaign.ts'
import { measureMaking } from './parts/make-report.ts'
import { repeat, withTemporaryFolder } from './parts/process.ts'
import { median } from './parts/statistics.ts'

const sizes = [100, 1_000, 5_000]
const steps = 4
/** The costs of a report with their units, and the targets of the largest report. */
const costs = {
  'make-ms': { unit: 'ms', limit: 5_000 },
  'memory-mb': { unit: 'MB', limit: 600 },
  'file-mb': { unit: 'MB', limit: 25 },
  'open-ms': { unit: 'ms', limit: 1_500 },
}

/** What the HTML report costs: to make it in a process of its own, as a file, and to open it in Chromium. */
export const report: Bench = {
  summary: `HTML reports of ${sizes.join(', ')} attempts of ${steps} steps: time and memory to make, size, and time to open`,
  read: 'The ratio is relative to the target of the largest report. A report is open when its first screen is drawn, without the start of Chromium. A large report should be quick to make and to open.',
  notes: [
    'Much of the time to make a report is reading and compressing the data of each attempt.',
    'A second process hardly helps on two cores, because both compile and optimise the same code: the pages of 5,000 attempts took 4.6 s in one process, and 3.7 to 4.1 s in two with half of the attempts each.',
  ],
  figures: Object.fromEntries(
    sizes.flatMap(size =>
      Object.entries(costs).map(([cost, { unit, limit }]) => {
        const target = size === sizes.at(-1) ? { target: { atMost: limit } } : {}
        return [`report-${size}-${cost}`, { unit, ...target }]
      }),
    ),
  ),
  async run() {
    const measurements: Record<string, Measurement> = {}
    for (const size of sizes) {
      const values = await withTemporaryFolder(folder => measureReport(folder, size))
      for (const [cost, { unit, limit }] of Object.entries(costs)) {
        const value = values[cost as keyof typeof costs]
        const measurement = value === null ? skipped('no Chromium found') : relativeTo(limit, unit, value)
        measurements[`report-${size}-${cost}`] = measurement
      }
    }
    return measurements
  },
}

async function measureReport(folder: string, attempts: number) {
  await measureCampaign({ folder, attempts, steps, concurrency: 16 })
  const { wallMs, peakMb, file, fileMb } = await measureMaking(join(folder, 'run'))
  return { 'make-ms': wallMs, 'memory-mb': peakMb, 'file-mb': fileMb, 'open-ms': await measureOpening(file) }
}

/** Measures the milliseconds from a report's address to the drawn first screen. Median of three; null without Chromium. */
async function measureOpening(file: string): Promise<number | null> {
  const { TABLEHUNT_CHROMIUM: variable = null, PATH: searchPath = '' } = process.env
  const place = await findBrowser({ flag: null, variable, searchPath })
  if (place === null) return null
  const { chromium } = await import('playwright')
  const browser = await chromium.launch({ executablePath: place.path, args: ['--no-sandbox'] })
  try {
    const times = await repeat(3, async () => {
      const page = await browser.newPage()
      const startedAt = performance.now()
      await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' })
      await page.locator('.arms').waitFor()
      // The frame after the next one has been painted.
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const openMs = performance.now() - startedAt
      await page.close()
      return openMs
    })
    return median(times)
  } finally {
    await browser.close()
  }
}
