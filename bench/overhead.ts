import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, BenchFigure } from './figure.ts'
import type { WaitsInput } from './parts/bare-waits.ts'
import { runModule } from './parts/process.ts'
import { recorded } from './parts/recorded.ts'
import type { BenchCampaign, CampaignCost } from './parts/run-campaign.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 3
const attempts = 1_000
const steps = 10
const concurrency = 64
/** A step is a model's answer and a tool's result, 50 ms together. The last step has no tool. */
const [turnMs, webMs] = [40, 10]
const stepMs = turnMs + webMs
const idealMs = Math.ceil(attempts / concurrency) * steps * stepMs

/** The time that the run engine, agent loop, tools, traces and scores add to the waits for model and web. */
export const overhead: Bench = {
  summary: `${attempts} attempts x ${steps} steps of ${stepMs} ms at concurrency ${concurrency}, traces written, one process`,
  read: 'Read overhead-ratio on an idle machine. On a busy machine other programs increase it.',
  why: 'It shows how much longer a run takes than its model and its web.',
  notes: [
    'The overhead grows with the processor time of one step, and so with the speed of the machine at that moment. overhead-cpu-ms-per-step shows it.',
    'A second process does not help on two cores: two processes with half of the attempts each were as slow as one.',
  ],
  figures: [
    'overhead-ratio',
    'overhead-over-waits-ratio',
    'overhead-with-report-ratio',
    'overhead-cpu-share',
    'overhead-cpu-ms-per-step',
  ],
  targets: {
    'overhead-ratio': { atMost: 1.08 },
    'overhead-with-report-ratio': { atMost: 1.15 },
    'overhead-cpu-ms-per-step': { atMost: 0.45 },
  },
  async run() {
    // All folders are removed at the end: some file systems create files slowly after many were removed.
    return await withTemporaryFolder(async folder => {
      const costs: CampaignCost[] = []
      const waits: number[] = []
      for (let turn = 0; turn < repetitions; turn++) {
        waits.push(await waitOnly())
        costs.push(await makeRun(join(folder, String(turn))))
      }
      return writeFigures(costs, waits)
    })
  },
}

/** Measures the same waits without any work: what this machine's timers reach at this moment. */
async function waitOnly(): Promise<number> {
  const waitsMs = [...Array.from({ length: steps - 1 }, () => [turnMs, webMs]).flat(), stepMs]
  const input: WaitsInput = { attempts, concurrency, waitsMs }
  return await runModule<number>('parts/bare-waits.js', input)
}

async function makeRun(folder: string): Promise<CampaignCost> {
  await mkdir(folder)
  const input: BenchCampaign = { folder, attempts, steps, turnMs, webMs, answerMs: stepMs, concurrency }
  const cost = await runModule<CampaignCost>('parts/run-campaign.js', input)
  if (cost.answered !== attempts)
    throw new Error(
      `only ${cost.answered} of ${attempts} attempts ended with an answer, so the measurement is invalid`,
    )
  return cost
}

function writeFigures(costs: readonly CampaignCost[], waits: readonly number[]): BenchFigure[] {
  const wall = median(costs.map(cost => cost.wallMs)) / idealMs
  const overWaits = median(costs.map((cost, turn) => cost.wallMs / waits[turn]!))
  const withReport = median(costs.map(cost => cost.wallMsWithReport)) / idealMs
  const cpuMs = median(costs.map(cost => cost.cpuMs))
  const ideal = `the ideal ${idealMs} ms`
  return [
    {
      figure: 'overhead-ratio',
      value: rounded(wall, 3),
      unit: 'x ideal',
      against: `${ideal}; until all records, scores and traces are written; recorded: Inspect AI ${recorded.inspectOverheadRatio}`,
      ratio: rounded(wall, 3),
    },
    {
      figure: 'overhead-over-waits-ratio',
      value: rounded(overWaits, 3),
      unit: 'x bare waits',
      against: `the same waits without any work, measured with each run: ${rounded(median(waits) / idealMs, 3)} x the ideal`,
      ratio: rounded(overWaits, 3),
    },
    {
      figure: 'overhead-with-report-ratio',
      value: rounded(withReport, 3),
      unit: 'x ideal',
      against: `${ideal}; until the HTML report is written too`,
      ratio: rounded(withReport, 3),
    },
    {
      figure: 'overhead-cpu-share',
      value: rounded(cpuMs / idealMs, 3),
      unit: 'CPU / ideal',
      against: `${ideal} on one core`,
      ratio: rounded(cpuMs / idealMs, 3),
    },
    {
      figure: 'overhead-cpu-ms-per-step',
      value: rounded(cpuMs / (attempts * steps), 3),
      unit: 'ms',
      against: `recorded: Inspect AI ${recorded.inspectCpuMsPerStep} ms`,
      ratio: rounded(cpuMs / (attempts * steps) / recorded.inspectCpuMsPerStep, 3),
    },
  ]
}
