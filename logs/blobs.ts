import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../src/core/errors.ts'
import { writeFileAtomicallySync } from '../src/system/atomic-write.ts'
import { ifMissing } from '../src/system/files.ts'
import { sha256 } from '../src/system/hash.ts'
import { describeSystemProblem } from '../src/system/system-errors.ts'
import type { StoredText } from './event-parts.ts'
import { createRedactor } from './redact.ts'

/** Texts with more characters than this are stored in traces/blobs/ instead of in the trace. */
export const longestInlineChars = 4_000

/** Reads stored texts. */
export interface BlobReader {
  /**
   * Returns the text with this hash.
   *
   * @throws DataError [missing-blob] when the file does not exist; [damaged-file] when its content has another hash
   */
  get(hash: string): string
}

/** Where texts are stored under their hashes. */
interface TextStore {
  /** Stores the text and returns its hash. Other processes can read the whole file when this returns. */
  put(text: string): string
}

/** The texts of a run. Each is stored once, under the SHA-256 of its content after redaction. */
export interface BlobStore extends BlobReader, TextStore {
  /** Returns the paths of the texts that were put since the last call, which a power cut could still lose. */
  takeUnsynced(): string[]
}

/**
 * Maximum number of hashes kept in memory, so that memory does not grow in long runs. Other hashes are looked up on
 * disk.
 */
const rememberedHashes = 10_000

/**
 * Opens the blob store of the run in `folder`, under traces/blobs/. Two processes may write to it at the same time.
 */
export function createBlobStore(options: { folder: string; secrets?: readonly string[] }): BlobStore {
  const folder = join(options.folder, 'traces', 'blobs')
  const redactor = createRedactor(options.secrets ?? [])
  const written = new Set<string>()
  let unsynced: string[] = []
  mkdirSync(folder, { recursive: true })
  return {
    put(text) {
      const clean = redactor.text(text)
      const hash = sha256(clean)
      if (written.has(hash)) return hash
      const file = join(folder, hash)
      if (!hasContent(file, clean)) writeFileAtomicallySync(file, clean)
      unsynced.push(file)
      if (written.size >= rememberedHashes) written.clear()
      written.add(hash)
      return hash
    },
    takeUnsynced() {
      const paths = unsynced
      unsynced = []
      return paths
    },
    get(hash) {
      const path = join(folder, hash)
      try {
        if (!statSync(path).isFile()) throw new Error('something else is in the place of the file')
        const text = readFileSync(path, 'utf8')
        if (sha256(text) === hash) return text
      } catch (cause) {
        if (describeSystemProblem(cause) !== null) throw cause
        throw new DataError(
          `${path}: a trace refers to this text, but the file is missing, or no file. Run the command that made the run again: it makes this attempt again.`,
          { code: 'missing-blob', cause },
        )
      }
      throw new DataError(
        `${path}: the text has changed since it was recorded. Run the command that made the run again: it makes this attempt again.`,
        { code: 'damaged-file' },
      )
    },
  }
}

/**
 * Reads a stored text as it is now.
 *
 * @param folder `traces/blobs` of a run
 * @param hash from a trace, whose author may be a stranger, or from arguments that a model chose: it may be any text
 * @returns null when there is no such text, or the name is that of another file
 */
export function readBlob(folder: string, hash: string): string | null {
  if (!/^[0-9a-f]{64}$/.test(hash)) return null
  const path = join(folder, hash)
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null
  } catch (error) {
    return ifMissing(error)
  }
}

/**
 * Whether a file exists with exactly this text. A power cut can leave a file of an earlier process empty or in part, and such
 * a file must be written again.
 */
export function hasContent(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text
  } catch (error) {
    if (describeSystemProblem(error) !== null) throw error
    return false
  }
}

/** Returns the form in which an event stores a text: the text itself, or its hash when the text is long. */
export function storedText(text: string, blobs: TextStore): StoredText {
  return text.length > longestInlineChars ? { blob: blobs.put(text) } : { text }
}

/** Returns the text of an event, read from the blobs when the event stores a hash. */
export function readStoredText(stored: StoredText, blobs: BlobReader): string {
  return 'text' in stored ? stored.text : blobs.get(stored.blob)
}
