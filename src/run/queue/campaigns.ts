import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { openSealedCampaign } from './campaign.ts'
import { campaignKeys } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'
import { type CampaignToOpen, type OpenCampaign, openCampaign } from './worker-campaign.ts'

/** The open campaigns of a worker. Attempts of the same campaign share one. */
export interface Campaigns {
  /**
   * Opens a campaign unless it is open, and does work with it. It stays open for the next attempt.
   *
   * @returns null when Redis does not have the campaign, or one that is not signed with this worker's secret
   * @throws the reason why this machine cannot open it
   */
  use<T>(runId: string, work: (campaign: OpenCampaign) => Promise<T>): Promise<T | null>
  /** Reports a run whose campaign or jobs are not signed with this worker's secret: once, also to the run. */
  refuse(runId: string): Promise<void>
  /** Closes the campaigns that have not been used for a while. */
  closeIdle(): Promise<void>
  closeAll(): Promise<void>
}

interface CampaignEntry {
  readonly opened: Promise<OpenCampaign>
  users: number
  idleSince: number
}

const idleMs = 30_000

/**
 * Creates the campaigns of a worker.
 *
 * @param folder the worker's own folder; every opening of a campaign gets a folder below it
 */
export function createCampaigns(
  redis: Redis,
  folder: string,
  common: Omit<CampaignToOpen, 'campaign' | 'folder' | 'redis'> & { readonly signer: QueueSigner },
  openIt: typeof openCampaign = openCampaign,
): Campaigns {
  const entries = new Map<string, CampaignEntry>()
  const refused = new Set<string>()
  let openings = 0

  async function openEntry(runId: string): Promise<CampaignEntry | null> {
    const text = entries.has(runId) ? null : await redis.get(campaignKeys(runId).campaign)
    const openedEntry = entries.get(runId)
    if (openedEntry !== undefined || text === null) return openedEntry ?? null
    const campaign = openSealedCampaign(text, runId, common.signer)
    if (campaign === null) {
      await refuse(runId)
      return null
    }
    // A new folder each time: an earlier campaign of the same run may still be closing and removing its own.
    const place = join(folder, `${runId}-${openings++}`)
    const opened = openIt({ ...common, redis, campaign, folder: place })
    const entry: CampaignEntry = { opened, users: 0, idleSince: performance.now() }
    entries.set(runId, entry)
    return entry
  }

  async function refuse(runId: string): Promise<void> {
    if (refused.has(runId)) return
    refused.add(runId)
    const line = `worker ${common.workerId} makes no attempts of run ${runId}: its campaign or jobs are not signed with this worker's --queue-secret. Give both the same secret. [queue-signature]`
    common.tell(line)
    await redis.publish(campaignKeys(runId).notices, line)
  }

  async function close(runId: string, { opened }: CampaignEntry): Promise<void> {
    entries.delete(runId)
    // A failure to open was reported before.
    const campaign = await opened.catch(() => null)
    await campaign?.close()
  }

  return {
    refuse,
    async use(runId, work) {
      const entry = await openEntry(runId)
      if (entry === null) return null
      entry.users += 1
      try {
        return await work(await entry.opened)
      } finally {
        entry.users -= 1
        entry.idleSince = performance.now()
      }
    },
    async closeIdle() {
      for (const [runId, entry] of entries)
        if (entry.users === 0 && performance.now() - entry.idleSince > idleMs) await close(runId, entry)
    },
    async closeAll() {
      for (const [runId, entry] of entries) await close(runId, entry)
    },
  }
}
