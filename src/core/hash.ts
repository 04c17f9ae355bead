import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** SHA-256 in lower-case hex; text is taken as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** SHA-256 of a file's bytes, however large, in lower-case hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const whole = createHash('sha256')
  await pipeline(createReadStream(path), whole)
  return whole.digest('hex')
}

/**
 * SHA-256 of what is at a path: a file's bytes, or the names and bytes of all files below a folder. Null: nothing is
 * there.
 */
export async function sha256OfPath(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return await sha256OfFile(path)
  const hashes: [string, string][] = []
  for (const name of (await readdir(path, { recursive: true })).sort()) {
    const file = join(path, name)
    if ((await stat(file)).isFile()) hashes.push([name, await sha256OfFile(file)])
  }
  return sha256(canonicalJson(hashes))
}

/** JSON with keys in code-point order at every depth, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
