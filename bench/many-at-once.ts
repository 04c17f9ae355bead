import type { Bench } from './figure.ts'
import { runModule } from './parts/process.ts'
import type { CampaignCost, CampaignInput } from './parts/run-campaign.ts'
import { rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const [attempts, steps, concurrency, stepMs] = [2_000, 10, 1_024, 1_000]
const idealMs = Math.ceil(attempts / concurrency) * steps * stepMs

/** The overhead of a run with very many attempts at the same time and slow calls, as of a hosted model. */
export const manyAtOnce: Bench = {
  summary: `${attempts} attempts x ${steps} steps of ${stepMs} ms at concurrency ${concurrency}`,
  read: 'The ratio is relative to the ideal time. Read it on an idle machine.',
  why: 'A run that uses a hosted model with many calls at a time should add little to the time of the calls.',
  notes: [
    'All attempts begin at the same time, so each step waits for the processor time of the same step of the other attempts.',
  ],
  figures: ['many-at-once-ratio'],
  targets: { 'many-at-once-ratio': { atMost: 1.03 } },
  run: () =>
    withTemporaryFolder(async folder => {
      // Each step is one call of the model: the web answers at once.
      const times = { turnMs: stepMs, webMs: 0, answerMs: stepMs }
      const input: CampaignInput = { folder, attempts, steps, concurrency, ...times }
      const { wallMs, cpuMs, answered } = await runModule<CampaignCost>('parts/run-campaign.js', input)
      if (answered !== attempts)
        throw new Error(`only ${answered} of ${attempts} attempts ended with an answer`)
      const ratio = wallMs / idealMs
      return [
        {
          figure: 'many-at-once-ratio',
          value: rounded(ratio, 3),
          unit: 'x ideal',
          against: `the ideal ${idealMs} ms; ${rounded(cpuMs, 0)} ms of processor time`,
          ratio: rounded(ratio, 3),
        },
      ]
    }),
}
