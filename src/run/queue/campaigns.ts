import { join } from 'node:path'
import { openSealedCampaign } from './campaign.ts'
import { nameCampaignKeys } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'
import { type CampaignToOpen, type OpenCampaign, openCampaign } from './worker-campaign.ts'

interface CampaignEntry {
  readonly opened: Promise<OpenCampaign>
  users: number
  idleSince: number
}

const idleMs = 30_000

/** What all campaigns of a worker are opened with. */
export type WorkerParts = Omit<CampaignToOpen, 'campaign' | 'folder'> & { readonly signer: QueueSigner }

/** The open campaigns of a worker. Attempts of the same campaign share one. */
export class Campaigns {
  readonly #folder: string
  readonly #parts: WorkerParts
  readonly #openIt: typeof openCampaign
  readonly #entries = new Map<string, CampaignEntry>()
  readonly #refused = new Set<string>()
  #openings = 0

  /** @param folder the worker's own folder; every opening of a campaign gets a folder below it */
  constructor(folder: string, parts: WorkerParts, openIt: typeof openCampaign = openCampaign) {
    this.#folder = folder
    this.#parts = parts
    this.#openIt = openIt
  }

  /**
   * Opens a campaign unless it is open, and does work with it. It stays open for the next attempt.
   *
   * @returns null when Redis does not have the campaign, or one that is not signed with this worker's secret
   * @throws the reason why this machine cannot open it
   */
  async use<T>(runId: string, work: (campaign: OpenCampaign) => Promise<T>): Promise<T | null> {
    const entry = await this.#openEntry(runId)
    if (entry === null) return null
    entry.users += 1
    try {
      return await work(await entry.opened)
    } finally {
      entry.users -= 1
      entry.idleSince = performance.now()
    }
  }

  /** Reports a run whose campaign or jobs are not signed with this worker's secret: once, also to the run. */
  async refuse(runId: string): Promise<void> {
    if (this.#refused.has(runId)) return
    this.#refused.add(runId)
    const { redis, workerId, tell } = this.#parts
    const line = `worker ${workerId} makes no attempts of run ${runId}: its campaign or jobs are not signed with this worker's --queue-secret. Give both the same secret. [queue-signature]`
    tell(line)
    await redis.publish(nameCampaignKeys(runId).notices, line)
  }

  /** Closes the campaigns that have not been used for a while. */
  readonly closeIdle = async (): Promise<void> => {
    for (const [runId, entry] of this.#entries)
      if (entry.users === 0 && performance.now() - entry.idleSince > idleMs) await this.#close(runId, entry)
  }

  async closeAll(): Promise<void> {
    for (const [runId, entry] of this.#entries) await this.#close(runId, entry)
  }

  async #openEntry(runId: string): Promise<CampaignEntry | null> {
    const { redis, signer } = this.#parts
    const text = this.#entries.has(runId) ? null : await redis.get(nameCampaignKeys(runId).campaign)
    const openedEntry = this.#entries.get(runId)
    if (openedEntry !== undefined || text === null) return openedEntry ?? null
    const campaign = openSealedCampaign(text, runId, signer)
    if (campaign === null) {
      await this.refuse(runId)
      return null
    }
    // A new folder each time: an earlier campaign of the same run may still be closing and removing its own.
    const folder = join(this.#folder, `${runId}-${this.#openings++}`)
    const opened = this.#openIt({ ...this.#parts, campaign, folder })
    const entry: CampaignEntry = { opened, users: 0, idleSince: performance.now() }
    this.#entries.set(runId, entry)
    return entry
  }

  async #close(runId: string, { opened }: CampaignEntry): Promise<void> {
    this.#entries.delete(runId)
    // A failure to open was reported before.
    const campaign = await opened.catch(() => null)
    await campaign?.close()
  }
}
