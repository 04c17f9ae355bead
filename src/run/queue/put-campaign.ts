import type { Redis } from 'ioredis'
import { ConfigError } from '../../core/errors.ts'
import { sha256OfFile } from '../../system/hash.ts'
import { type Campaign, sealCampaign } from './campaign.ts'
import { campaignTtlSeconds, putFile } from './file-store.ts'
import { nameCampaignKeys } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'
import type { Shipment } from './shipment.ts'

/** The facts about a run that workers compare with their own machine. */
export interface QueuedRun {
  readonly runId: string
  readonly identity: Campaign['identity']
  readonly plugins: Campaign['plugins']
  readonly programs: Campaign['programs']
}

/** A campaign, with the paths of its files on this machine by hash. */
export interface HashedCampaign {
  readonly campaign: Campaign
  readonly paths: ReadonlyMap<string, string>
}

/**
 * Hashes the files of a shipment.
 *
 * @throws ConfigError [unreadable-shipment]
 */
export async function hashShipment(shipment: Shipment, run: QueuedRun): Promise<HashedCampaign> {
  const paths = new Map<string, string>()
  const files: Campaign['files'] = []
  for (const { path, place } of shipment.files) {
    const sha256 = await sha256OfFile(path).catch(({ code }: NodeJS.ErrnoException) => {
      throw new ConfigError(
        `--queue: ${path} is sent to workers and cannot be read (${code}). Restore the file, or correct its permissions.`,
        { code: 'unreadable-shipment' },
      )
    })
    paths.set(sha256, path)
    files.push({ place, sha256 })
  }
  const { config, distractors } = shipment
  return { campaign: { ...run, config, distractors, files }, paths }
}

/** Puts a signed campaign into Redis. Its files come first, so that a campaign in Redis is complete. */
export async function putCampaign(
  redis: Redis,
  { campaign, paths }: HashedCampaign,
  signer: QueueSigner,
): Promise<void> {
  const keys = nameCampaignKeys(campaign.runId)
  for (const [sha256, path] of paths) await putFile(redis, keys.file(sha256), path)
  await redis.set(keys.campaign, sealCampaign(campaign, signer), 'EX', campaignTtlSeconds)
}

/** Renews the keys of a campaign, so that Redis keeps them during a long run. */
export async function renewCampaign(redis: Redis, { campaign, paths }: HashedCampaign): Promise<void> {
  const keys = nameCampaignKeys(campaign.runId)
  const pipeline = redis.pipeline()
  for (const key of [keys.campaign, keys.results, ...[...paths.keys()].map(keys.file)])
    pipeline.expire(key, campaignTtlSeconds)
  await pipeline.exec()
}

const keysAtATime = 500

/** Removes a campaign from Redis. */
export async function removeCampaign(redis: Redis, runId: string): Promise<void> {
  const { prefix } = nameCampaignKeys(runId)
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', keysAtATime)
    if (keys.length > 0) await redis.unlink(...keys)
    cursor = next
  } while (cursor !== '0')
}
