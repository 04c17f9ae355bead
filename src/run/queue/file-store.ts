import { open } from 'node:fs/promises'
import type { Redis } from 'ioredis'

/** Redis processes one command at a time, so large files are sent in parts. */
const partBytes = 16 * 1024 * 1024

/** Redis removes the keys of a campaign after this time. A run that goes on renews them. */
export const campaignTtlSeconds = 7 * 24 * 3600

/** Redis removes keys that are written after the end of their campaign after this time. */
export const endedCampaignTtlSeconds = 600

/** Stores a file under a key. If it is stored already, only renews the key. */
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
    // Written last: a file with its number of parts is complete.
    await redis.hset(key, 'parts', parts)
    await redis.expire(key, campaignTtlSeconds)
  } finally {
    await file.close()
  }
}

/** Reads the parts of a file in order; null when the file is missing or incomplete. */
export async function getFile(redis: Redis, key: string): Promise<Buffer[] | null> {
  const parts = await redis.hget(key, 'parts')
  if (parts === null) return null
  const buffers: Buffer[] = []
  for (let part = 0; part < Number(parts); part++) {
    const bytes = await redis.hgetBuffer(key, String(part))
    if (bytes === null) return null
    buffers.push(bytes)
  }
  return buffers
}
