import { crc32 } from 'node:zlib'

/** Fields of a record that may differ between equal runs. */
const fleeting = { startedAt: undefined, endedAt: undefined, runId: undefined, judgeUsage: undefined }
const fleetingUsage = { wallMs: undefined, workingMs: undefined }

const digits = 8
const sealed = new RegExp(`,"checksum":"([0-9a-f]{${digits}})"\\}$`)

/**
 * A record's line with its checksum as the last field: the CRC-32 of the record's JSON without the checksum and without
 * what may differ between equal runs, so that equal records have equal checksums.
 */
export function sealRecord(record: Readonly<Record<string, unknown>>): string {
  return withChecksum(JSON.stringify({ ...record, checksum: undefined }), recordChecksum(record))
}

/** Whether a record is as it was written; one without a checksum is taken as it is. */
export function isWholeRecord(record: unknown): boolean {
  if (record === null || typeof record !== 'object' || !('checksum' in record)) return true
  return record.checksum === recordChecksum(record as unknown as Readonly<Record<string, unknown>>)
}

/** A JSON object's text with the checksum of all of it as the last field. The object must have a field. */
export function sealText(json: string): string {
  return withChecksum(json, textChecksum(json))
}

/** Whether a text is as `sealText` wrote it; one without a checksum is taken as it is. */
export function isWholeText(line: string): boolean {
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
