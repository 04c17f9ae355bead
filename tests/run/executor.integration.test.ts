import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { executeRun } from '../../src/run.ts'

it('lets many attempts wait for the remaining budget of the run, without a warning', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): number => warnings.push(warning)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-executor-'))
  const campaign = { folder, attempts: 16, steps: 1, turnMs: 5, concurrency: 16 }
  const config = { ...(await prepareCampaign(campaign)), runBudgetTokens: 20_000 }
  const { report } = await executeRun(config, { web: fixedDelayWeb(0) })
  expect(report.run.attempts).toBe(16)
  expect(warnings).toEqual([])
})
