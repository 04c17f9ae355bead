import type { Bench, BenchFigure } from './figure.ts'
import { runModule } from './parts/process.ts'
import { recorded } from './parts/recorded.ts'
import type { BenchCampaign, CampaignCost } from './parts/run-campaign.ts'
import { rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const [many, few] = [20_000, 2_000]

/** Peak memory of a run's process, from an empty folder to the report, with one attempt per task. */
export const memory: Bench = {
  summary: `peak memory of ${many} attempts of a scripted model in one process`,
  read: `The ratio is the peak at ${many} attempts relative to ${few}. Near 1: memory does not grow with the run.`,
  why: 'Large runs should fit on small machines.',
  figures: ['memory-mb-20000-attempts', 'memory-mb-2000-attempts'],
  targets: { 'memory-mb-20000-attempts': { atMost: 400 } },
  async run() {
    const small = await measurePeak(few)
    const large = await measurePeak(many)
    return [
      figure(
        'memory-mb-20000-attempts',
        large,
        `${few} attempts, measured in the same run: ${rounded(small, 0)} MB`,
        large / small,
      ),
      figure(
        'memory-mb-2000-attempts',
        small,
        `recorded: Inspect AI ${recorded.inspectPeakMbAt5000} MB at 5000`,
        null,
      ),
    ]
  },
}

function figure(name: string, mb: number, against: string, ratio: number | null): BenchFigure {
  return {
    figure: name,
    value: rounded(mb, 0),
    unit: 'MB',
    against,
    ratio: ratio === null ? null : rounded(ratio, 2),
  }
}

async function measurePeak(attempts: number): Promise<number> {
  return await withTemporaryFolder(async folder => {
    const times = { turnMs: 0, webMs: 0, answerMs: 0 }
    const input: BenchCampaign = { folder, attempts, steps: 2, concurrency: 16, ...times }
    const cost = await runModule<CampaignCost>('parts/run-campaign.js', input)
    if (cost.attempts !== attempts) throw new Error(`${cost.attempts} of ${attempts} attempts have a record`)
    return cost.peakMb
  })
}
