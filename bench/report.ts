import { join } from 'node:path'
import { findBrowser } from '../tools/page/browser-path.ts'
import { type Bench, type Figure, skipped } from './figure.ts'
import type { ReportCost, ReportCostInput } from './parts/make-report.ts'
import { openReport } from './parts/open-report.ts'
import { runModule } from './parts/process.ts'
import type { CampaignCost, CampaignInput } from './parts/run-campaign.ts'
import { rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const sizes = [100, 1_000, 5_000] as const
const steps = 4
/** The targets. The time to open is that of 2,000 attempts, the rest that of the largest report. */
const target = { makeMs: 5_000, memoryMb: 600, fileMb: 25, openMs: 1_500 }

/** What the HTML report costs: to make it in a process of its own, as a file, and to open it in Chromium. */
export const report: Bench = {
  summary: `HTML reports of ${sizes.join(', ')} attempts of ${steps} steps: time and memory to make, size, and time to open`,
  read: 'The ratio is the value relative to the target. A report is open when its first screen is drawn, without the start of Chromium.',
  figures: sizes.flatMap(size =>
    ['make-ms', 'memory-mb', 'file-mb', 'open-ms'].map(name => `report-${size}-${name}`),
  ),
  async run() {
    const figures: Figure[] = []
    for (const size of sizes) figures.push(...(await withTemporaryFolder(folder => measure(folder, size))))
    return figures
  },
}

async function measure(folder: string, attempts: number): Promise<Figure[]> {
  const times = { turnMs: 0, webMs: 0, answerMs: 0 }
  const campaign: CampaignInput = { folder, attempts, steps, concurrency: 16, ...times }
  await runModule<CampaignCost>('parts/run-campaign.js', campaign)
  const run: ReportCostInput = { folder: join(folder, 'run') }
  const cost = await runModule<ReportCost>('parts/make-report.js', run)
  const figure = (name: string, value: number, unit: string, limit: number): Figure => ({
    figure: `report-${attempts}-${name}`,
    value: rounded(value, unit === 'ms' ? 0 : 1),
    unit,
    against: `target: under ${limit} ${unit}`,
    ratio: rounded(value / limit, 2),
  })
  return [
    figure('make-ms', cost.makeMs, 'ms', target.makeMs),
    figure('memory-mb', cost.peakMb, 'MB', target.memoryMb),
    figure('file-mb', cost.fileMb, 'MB', target.fileMb),
    await openFigure(cost.file, `report-${attempts}-open-ms`, value =>
      figure('open-ms', value, 'ms', target.openMs),
    ),
  ]
}

async function openFigure(file: string, name: string, figureOf: (openMs: number) => Figure): Promise<Figure> {
  const place = await findBrowser({
    flag: null,
    variable: process.env.TABLEHUNT_CHROMIUM ?? null,
    searchPath: process.env.PATH ?? '',
  })
  if (place === null) return skipped(name, 'ms', 'no Chromium found')
  return figureOf(await openReport(file, place.path))
}
