import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Returns the SHA-256 in lower-case hex. A text is hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** Returns a seed for random numbers, the same one for the same text. */
export function seedFromText(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16)
}

/** From this size on a file is streamed. A smaller one is read at once, which takes a fraction of the time. */
const streamedFromBytes = 50_000_000

/** Returns the SHA-256 of a file's bytes in lower-case hex. The file may be larger than memory. */
export async function sha256OfFile(path: string): Promise<string> {
  if ((await stat(path)).size < streamedFromBytes) return sha256(await readFile(path))
  const whole = createHash('sha256')
  await pipeline(createReadStream(path), whole)
  return whole.digest('hex')
}

/**
 * Returns the SHA-256 of a file's bytes, or of the names and bytes of all files below a folder. Returns null when the path
 * does not exist.
 */
export async function sha256OfPath(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return null
  if (!stats.isDirectory()) return await sha256OfFile(path)
  const hashes: [string, string][] = []
  for (const name of (await readdir(path, { recursive: true })).sort()) {
    const file = join(path, name)
    if ((await stat(file)).isFile()) hashes.push([name, await sha256OfFile(file)])
  }
  return sha256(canonicalJson(hashes))
}

/** Returns JSON with keys in code-point order at every depth, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
