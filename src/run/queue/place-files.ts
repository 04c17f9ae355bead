import { existsSync } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Clock } from '../../core/runtime.ts'
import { writeFileAtomically } from '../../system/atomic-write.ts'
import { makeFolder } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'
import type { Campaign } from './campaign.ts'
import { getFile } from './file-store.ts'
import { nameCampaignKeys } from './keys.ts'

/** The files to put in place, and where. */
export interface PlacingInput {
  readonly redis: Redis
  readonly campaign: Campaign
  /** A folder of files by hash, which campaigns and workers share. */
  readonly store: string
  /** The folder for the campaign's files. */
  readonly folder: string
  readonly clock: Clock
  readonly signal: AbortSignal
  tell(line: string): void
}

const pollMs = 1_000
/** The run puts a lost file there again within a few seconds. */
const pollsBeforeNotice = 10

/** Puts a campaign's files in place. A file is fetched once for all workers that share the store. */
export async function placeFiles(input: PlacingInput): Promise<void> {
  for (const { place, sha256: hash } of input.campaign.files) {
    const storedPath = await placeFile(input, hash)
    const path = join(input.folder, place)
    await makeFolder(dirname(path))
    // Hard links do not work across disks.
    await link(storedPath, path).catch(async () => await copyFile(storedPath, path))
  }
}

/** Returns the path of a file in the store. Waits until Redis has the file. */
async function placeFile(input: PlacingInput, hash: string): Promise<string> {
  const path = join(input.store, hash.slice(0, 2), hash)
  if (existsSync(path)) return path
  const key = nameCampaignKeys(input.campaign.runId).file(hash)
  for (let polls = 0; ; polls++) {
    const parts = await getFile(input.redis, key)
    const bytes = parts === null ? null : Buffer.concat(parts)
    if (bytes !== null && sha256(bytes) === hash) {
      await writeFileAtomically(path, bytes)
      return path
    }
    if (polls === pollsBeforeNotice) {
      const place = input.campaign.files.find(file => file.sha256 === hash)?.place ?? hash
      input.tell(`waiting for ${place}: Redis does not have this file of run ${input.campaign.runId}`)
    }
    await input.clock.sleep(pollMs, input.signal)
  }
}
