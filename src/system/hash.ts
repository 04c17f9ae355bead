import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'

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

/** Fields of a record that may differ between equal runs. */
const fleeting = { startedAt: undefined, endedAt: undefined, runId: undefined, judgeUsage: undefined }
const fleetingUsage = { wallMs: undefined, workingMs: undefined }

const digits = 8
const sealed = new RegExp(`,"checksum":"([0-9a-f]{${digits}})"\\}$`)

/**
 * A record's line with its checksum as the last field: the CRC-32 of the record's JSON without the checksum and without
 * what may differ between equal runs, so that equal records have equal checksums.
 */
export function withRecordChecksum(record: Readonly<Record<string, unknown>>): string {
  return withChecksum(JSON.stringify({ ...record, checksum: undefined }), recordChecksum(record))
}

/** Whether a record is as it was written; one without a checksum is taken as it is. */
export function hasValidRecordChecksum(record: unknown): boolean {
  if (record === null || typeof record !== 'object' || !('checksum' in record)) return true
  return record.checksum === recordChecksum(record as unknown as Readonly<Record<string, unknown>>)
}

/** A JSON object's text with the checksum of all of it as the last field. The object must have a field. */
export function withTextChecksum(json: string): string {
  return withChecksum(json, textChecksum(json))
}

/** Whether a text is as `sealText` wrote it; one without a checksum is taken as it is. */
export function hasValidTextChecksum(line: string): boolean {
  const found = sealed.exec(line)
  return found === null || textChecksum(`${line.slice(0, found.index)}}`) === found[1]
}

function recordChecksum(record: Readonly<Record<string, unknown>>): string {
  const { usage } = record
  const lasting = { ...record, ...fleeting, checksum: undefined }
  const counted = usage !== null && typeof usage === 'object' ? { usage: { ...usage, ...fleetingUsage } } : {}
  return textChecksum(JSON.stringify({ ...lasting, ...counted }))
}

/** CRC-32 of the UTF-8 text in 8 hex digits. */
function textChecksum(text: string): string {
  return crc32(text).toString(16).padStart(digits, '0')
}

function withChecksum(json: string, checksum: string): string {
  return `${json.slice(0, -1)},"checksum":"${checksum}"}`
}
