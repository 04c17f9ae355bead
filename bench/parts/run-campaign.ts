import { tuneForAttempts, tuneForOnePass } from '../../src/commands/v8-flags.ts'
import type { Web } from '../../src/run/open-run/web.js'
import { executeRun } from '../../src/run.ts'
import { searchServices } from '../../tools/search/registry.js'
import { type CampaignOptions, prepareCampaign } from './campaign.ts'
import { moduleInput, peakMemoryMb } from './process.ts'

const hits = Array.from({ length: 5 }, (_, index) => ({
  title: `Annual figures ${index + 1}`,
  link: `https://host-${index}.example/figures.txt`,
  snippet: 'Revenue, operating income and net income by year, in millions.',
  position: index + 1,
}))
const pageText = Array.from(
  { length: 10 },
  (_, index) => `Revenue ${2010 + index}: ${1_000 + 37 * index} million`,
)

/** A web inside this process that answers every request with fixed contents after a fixed time. */
export function fixedDelayWeb(delayMs: number): Web {
  const resultBody = Buffer.from(JSON.stringify({ organic: hits, credits: 1 }))
  const page = Buffer.from(pageText.join('\n'))
  return {
    transport: {
      name: 'fixed-delay',
      async send(request) {
        if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
        const service = request.purpose === 'service'
        return {
          status: 200,
          headers: { 'content-type': service ? 'application/json' : 'text/plain; charset=utf-8' },
          body: service ? resultBody : page,
          finalUrl: request.url,
        }
      },
    },
    search: searchServices.get('serper').create({ apiKey: 'bench', baseUrl: 'http://search.invalid' }),
    hash: null,
    entries: null,
    notice: `web: inside this process, ${delayMs} ms a request`,
    close: async () => {},
  }
}

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
