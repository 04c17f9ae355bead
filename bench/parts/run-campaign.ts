import { tuneForAttempts, tuneForOnePass } from '../../src/commands/v8-flags.ts'
import { executeRun } from '../../src/run.ts'
import { type CampaignOptions, prepareCampaign } from './campaign.ts'
import { fixedDelayWeb } from './fixed-delay-web.ts'
import { moduleInput, peakMemoryMb } from './process.ts'

export interface BenchCampaign extends CampaignOptions {
  readonly webMs: number
}

export interface CampaignCost {
  /** From the call to the last record and trace written. */
  readonly wallMs: number
  readonly cpuMs: number
  /** The time from the call to the last written record and trace. */
  readonly wallMsWithReport: number
  readonly peakMb: number
  readonly attempts: number
  /** Attempts that ended with a table, as the script says. */
  readonly answered: number
}

/** Makes a run in this process. Prints its cost as a line of JSON. */
const { webMs, ...options } = moduleInput<BenchCampaign>()
const config = await prepareCampaign(options)
const before = process.cpuUsage()
const startedAt = performance.now()
let answered = 0
let [wallMs, cpuMs] = [0, 0]
const summary = await executeRun(config, {
  web: fixedDelayWeb(webMs),
  tell: event => {
    if (event.type === 'planned') tuneForAttempts(event.planned)
    if (event.type === 'attempt-ended' && event.attempt.termination.reason === 'answered') answered++
    if (event.type === 'recorded') {
      const { user, system } = process.cpuUsage(before)
      ;[wallMs, cpuMs] = [performance.now() - startedAt, (user + system) / 1_000]
      tuneForOnePass()
    }
  },
})
const wallMsWithReport = performance.now() - startedAt
const attempts = summary.report.run.attempts
const cost: CampaignCost = {
  wallMs,
  cpuMs,
  wallMsWithReport,
  peakMb: peakMemoryMb(),
  attempts,
  answered,
}
process.stdout.write(`${JSON.stringify(cost)}\n`)
