import { open } from 'node:fs/promises'
import type { Redis } from 'ioredis'

/** Redis is busy with one command at a time: large files go in parts. */
const partBytes = 16 * 1024 * 1024

/** Keys of a campaign whose run never came back are gone after that; one that goes renews them. */
export const campaignTtlSeconds = 7 * 24 * 3600

/** What comes of a campaign that is over, or that a Redis lost and its run is to put again, is gone after that. */
export const endedCampaignTtlSeconds = 600

/** Puts a file under a key unless it is there whole; then it is kept for as long again. */
export async function putFile(redis: Redis, key: string, path: string): Promise<void> {
  if ((await redis.hexists(key, 'parts')) === 1 && (await redis.expire(key, campaignTtlSeconds)) === 1) return
  const file = await open(path, 'r')
  try {
    let parts = 0
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes, parts * partBytes)
      if (bytesRead > 0) await redis.hset(key, String(parts++), buffer.subarray(0, bytesRead))
      if (bytesRead < partBytes) break
    }
    // Written last: a file with its number of parts is whole.
    await redis.hset(key, 'parts', parts)
    await redis.expire(key, campaignTtlSeconds)
  } finally {
    await file.close()
  }
}

/** The parts of a file in order; null where it is not there whole. */
export async function getFile(redis: Redis, key: string): Promise<Buffer[] | null> {
  const parts = await redis.hget(key, 'parts')
  if (parts === null) return null
  const found: Buffer[] = []
  for (let part = 0; part < Number(parts); part++) {
    const bytes = await redis.hgetBuffer(key, String(part))
    if (bytes === null) return null
    found.push(bytes)
  }
  return found
}
