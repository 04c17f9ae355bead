import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type Measurement, rounded } from './figure.ts'
import { type CampaignOptions, measureCampaign } from './parts/campaign.ts'
import { callInProcess, repeat, withTemporaryFolder } from './parts/process.ts'
import { median } from './parts/statistics.ts'

/** A step is a model's answer and a tool's result, 50 ms together. The last step has no tool. */
const campaign = { attempts: 1_000, steps: 10, concurrency: 64, turnMs: 40, webMs: 10 }
const stepMs = campaign.turnMs + campaign.webMs
const idealMs = Math.ceil(campaign.attempts / campaign.concurrency) * campaign.steps * stepMs
/**
 * Recorded: Inspect AI 0.3.285 with the agent react. Its wall time is relative to the ideal of the same attempts, its
 * processor time and its peak memory (of 5,000 attempts) are those without waits.
 */
const inspect = { overheadRatio: 9.8, cpuMsPerStep: 7.7, peakMb: 557 }

/** The time that the run engine, agent loop, tools, traces and scores add to the waits for model and web. */
export const overhead: Bench = {
  summary: `${campaign.attempts} attempts x ${campaign.steps} steps of ${stepMs} ms at concurrency ${campaign.concurrency}, traces written, one process`,
  read: 'Read overhead-ratio on an idle machine. On a busy machine other programs increase it. It shows how much longer a run takes than its model and its web.',
  notes: [
    'The overhead grows with the processor time of one step, and so with the speed of the machine at that moment. overhead-cpu-ms-per-step shows it.',
    'A second process does not help on two cores: two processes with half of the attempts each were as slow as one.',
  ],
  figures: {
    'overhead-ratio': { unit: 'x ideal', target: { atMost: 1.08 } },
    'overhead-over-waits-ratio': { unit: 'x bare waits' },
    'overhead-with-report-ratio': { unit: 'x ideal', target: { atMost: 1.15 } },
    'overhead-cpu-share': { unit: 'CPU / ideal' },
    'overhead-cpu-ms-per-step': { unit: 'ms', target: { atMost: 0.45 } },
  },
  async run() {
    // All folders are removed at the end: some file systems create files slowly after many were removed.
    const turns = await withTemporaryFolder(folder =>
      repeat(3, async turn => {
        const { result: waitsMs } = await callInProcess(import.meta.url, waitOnly, null)
        return { waitsMs, ...(await measureCampaign({ ...campaign, folder: join(folder, String(turn)) })) }
      }),
    )
    const middle = (read: (turn: (typeof turns)[number]) => number): number => median(turns.map(read))
    const share = (value: number, against: string): Measurement => ({ value, against, ratio: value })
    const cpuMs = middle(turn => turn.cpuMs)
    const cpuMsPerStep = cpuMs / (campaign.attempts * campaign.steps)
    const waits = `${rounded(middle(turn => turn.waitsMs) / idealMs)} x the ideal`
    const ideal = `the ideal ${idealMs} ms`
    return {
      'overhead-ratio': share(
        middle(turn => turn.wallMs) / idealMs,
        `${ideal}; until all records, scores and traces are written; recorded: Inspect AI ${inspect.overheadRatio}`,
      ),
      'overhead-over-waits-ratio': share(
        middle(turn => turn.wallMs / turn.waitsMs),
        `the same waits without any work, measured with each run: ${waits}`,
      ),
      'overhead-with-report-ratio': share(
        middle(turn => turn.wallMsWithReport) / idealMs,
        `${ideal}; until the HTML report is written too`,
      ),
      'overhead-cpu-share': share(cpuMs / idealMs, `${ideal} on one core`),
      'overhead-cpu-ms-per-step': {
        value: cpuMsPerStep,
        against: `recorded: Inspect AI ${inspect.cpuMsPerStep} ms`,
        ratio: cpuMsPerStep / inspect.cpuMsPerStep,
      },
    }
  },
}

/** Waits as the campaign does, without any work: what this machine's timers reach at this moment. Returns milliseconds. */
export async function waitOnly(): Promise<number> {
  const { attempts, steps, concurrency, turnMs, webMs } = campaign
  const waits = [...Array.from({ length: steps - 1 }, () => [turnMs, webMs]).flat(), stepMs]
  const startedAt = performance.now()
  let begun = 0
  const waitOnEach = async (): Promise<void> => {
    while (begun++ < attempts) for (const ms of waits) await sleep(ms)
  }
  await Promise.all(Array.from({ length: concurrency }, waitOnEach))
  return performance.now() - startedAt
}

const [many, few] = [20_000, 2_000]

/** Peak memory of a run's process, from an empty folder to the report, with one attempt per task. */
export const memory: Bench = {
  summary: `peak memory of ${many} attempts of a scripted model in one process`,
  read: `The ratio is the peak at ${many} attempts relative to ${few}. Near 1: memory does not grow with the run. Large runs should fit on small machines.`,
  figures: {
    [`memory-mb-${many}-attempts`]: { unit: 'MB', target: { atMost: 400 } },
    [`memory-mb-${few}-attempts`]: { unit: 'MB' },
  },
  async run() {
    const [small, large] = [await measurePeakMb(few), await measurePeakMb(many)]
    const against = `${few} attempts, measured in the same run: ${rounded(small)} MB`
    const recorded = `recorded: Inspect AI ${inspect.peakMb} MB at 5000`
    return {
      [`memory-mb-${many}-attempts`]: { value: large, against, ratio: large / small },
      [`memory-mb-${few}-attempts`]: { value: small, against: recorded, ratio: null },
    }
  },
}

async function measurePeakMb(attempts: number): Promise<number> {
  return await withTemporaryFolder(async folder => {
    const options: CampaignOptions = { folder, attempts, steps: 2, concurrency: 16 }
    return (await measureCampaign(options)).peakMb
  })
}
