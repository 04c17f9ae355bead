import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../src/core/errors.ts'
import { sha256 } from '../src/core/hash.ts'
import { systemProblemOf } from '../src/core/system-errors.ts'
import { writeWholeNow } from '../src/core/write-whole.ts'
import type { StoredText } from './events.ts'
import { createRedactor } from './redact.ts'

/** Texts longer than this stand in traces/blobs/ and not in the trace. */
export const longestInlineChars = 4_000

/** A run's texts by the SHA-256 of what is written (after redaction), each on disk once. */
export interface BlobStore {
  /** Keeps the text and gives its hash. On disk, whole, when it returns. */
  put(text: string): string
  /** The text of a hash; DataError where there is none. */
  get(hash: string): string
}

/** How many hashes are remembered as written; beyond it the disk is asked. Keeps memory flat over long runs. */
const rememberedHashes = 10_000

/** The blobs of the run in `folder`, under traces/blobs/. Two processes may write to it at once. */
export function createBlobStore(options: { folder: string; secrets?: readonly string[] }): BlobStore {
  const folder = join(options.folder, 'traces', 'blobs')
  const redactor = createRedactor(options.secrets ?? [])
  const written = new Set<string>()
  mkdirSync(folder, { recursive: true })
  return {
    put(text) {
      const clean = redactor.text(text)
      const hash = sha256(clean)
      if (written.has(hash)) return hash
      const file = join(folder, hash)
      if (!existsSync(file)) writeWholeNow(file, clean)
      if (written.size >= rememberedHashes) written.clear()
      written.add(hash)
      return hash
    },
    get(hash) {
      try {
        return readFileSync(join(folder, hash), 'utf8')
      } catch (cause) {
        if (systemProblemOf(cause) !== null) throw cause
        throw new DataError(`${join(folder, hash)}: a trace names this text, but it is not there`, { cause })
      }
    },
  }
}

/** The text as an event carries it: itself, or its hash when it is long. */
export function storedText(text: string, blobs: Pick<BlobStore, 'put'>): StoredText {
  return text.length > longestInlineChars ? { blob: blobs.put(text) } : { text }
}

/** The text of an event, fetched from the blobs where it stands there. */
export function textOf(stored: StoredText, blobs: Pick<BlobStore, 'get'>): string {
  return 'text' in stored ? stored.text : blobs.get(stored.blob)
}
