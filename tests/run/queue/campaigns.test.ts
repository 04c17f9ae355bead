import type { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sealCampaign } from '../../../src/run/queue/campaign.ts'
import { Campaigns, type WorkerParts } from '../../../src/run/queue/campaigns.ts'
import { createSigner } from '../../../src/run/queue/queue-secret.ts'
import type { CampaignToOpen } from '../../../src/run/queue/worker-campaign.ts'
import { emptyCampaign } from './empty-campaign.ts'

it('never opens a campaign in a folder that an idle worker of the same run is about to remove', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const signer = createSigner('a secret of the test')
  const redis = { get: async () => sealCampaign(emptyCampaign, signer) } as unknown as Redis
  const standing: string[] = []
  let removed = (): void => undefined
  const closing = new Promise<void>(resolve => {
    removed = resolve
  })
  const open = async ({ folder }: CampaignToOpen) => {
    expect(standing).not.toContain(folder)
    standing.push(folder)
    return { make: async () => null, close: () => closing }
  }
  const campaigns = new Campaigns('/worker', { redis, signer } as WorkerParts, open)
  await campaigns.use('run', async () => undefined)
  vi.advanceTimersByTime(60_000)
  const idle = campaigns.closeIdle()
  await campaigns.use('run', async () => undefined)
  expect(standing).toHaveLength(2)
  removed()
  await idle
  await campaigns.closeAll()
})
