import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { campaignSchema } from './campaign.ts'
import { campaignKeys } from './keys.ts'
import { type CampaignToOpen, type OpenCampaign, openCampaign } from './worker-campaign.ts'

/** The open campaigns of a worker. Attempts of the same campaign share one. */
export interface Campaigns {
  /**
   * Opens a campaign unless it is open, and does work with it. It stays open for the next attempt.
   *
   * @returns null when Redis does not have the campaign
   * @throws the reason why this machine cannot open it
   */
  use<T>(runId: string, work: (campaign: OpenCampaign) => Promise<T>): Promise<T | null>
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
  common: Omit<CampaignToOpen, 'campaign' | 'folder' | 'redis'>,
  openIt: typeof openCampaign = openCampaign,
): Campaigns {
  const entries = new Map<string, CampaignEntry>()
  let openings = 0

  async function openEntry(runId: string): Promise<CampaignEntry | null> {
    const text = entries.has(runId) ? null : await redis.get(campaignKeys(runId).campaign)
    const openedEntry = entries.get(runId)
    if (openedEntry !== undefined || text === null) return openedEntry ?? null
    const campaign = campaignSchema.parse(JSON.parse(text))
    // A new folder each time: an earlier campaign of the same run may still be closing and removing its own.
    const place = join(folder, `${runId}-${openings++}`)
    const opened = openIt({ ...common, redis, campaign, folder: place })
    const entry: CampaignEntry = { opened, users: 0, idleSince: performance.now() }
    entries.set(runId, entry)
    return entry
  }

  async function close(runId: string, { opened }: CampaignEntry): Promise<void> {
    entries.delete(runId)
    // A failure to open was reported before.
    const campaign = await opened.catch(() => null)
    await campaign?.close()
  }

  return {
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
