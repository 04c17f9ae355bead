import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { canonicalJson, sha256 } from '../../system/hash.ts'
import { withoutSecrets } from '../../system/secret-values.ts'

/** Valid replies of judges on disk, by prompt, model and settings. */
export interface JudgeCache {
  read(key: string): Promise<string | null>
  write(key: string, text: string): Promise<void>
}

/** Combines everything that a reply depends on into one key. */
export const judgeCacheKey = (parts: Readonly<Record<string, unknown>>): string =>
  sha256(canonicalJson(parts))

/** Creates a cache with one small file for each reply. */
export function createJudgeCache(folder: string): JudgeCache {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.txt`)
  return {
    async read(key) {
      return await readFile(pathOf(key), 'utf8').catch(ifMissing)
    },
    async write(key, text) {
      await writeFileAtomically(pathOf(key), withoutSecrets(text))
    },
  }
}
