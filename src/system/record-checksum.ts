import { crc32 } from 'node:zlib'
import { isObject } from '../text/json.ts'
import { valueWithoutSecrets } from './secret-values.ts'

/** Fields of a record that may differ between equal runs, and of its usage. */
const volatileFields = ['startedAt', 'endedAt', 'runId', 'judgeUsage', 'files'] as const
const volatileUsage = ['wallMs', 'workingMs'] as const

const digits = 8
const checksumAtEnd = new RegExp(`^,"checksum":"([0-9a-f]{${digits}})"\\}$`)
/** The length of `,"checksum":"01234567"}`. */
const checksumChars = ',"checksum":""}'.length + digits

/**
 * Returns the line of a record without the secrets that this process has read, with its checksum as the last field.
 *
 * The checksum is the CRC-32 of the record's JSON without the checksum itself and without the fields that may differ between
 * equal runs. Equal records therefore have equal checksums.
 */
export function withRecordChecksum(record: Readonly<Record<string, unknown>>): string {
  const clean = valueWithoutSecrets(record)
  return withChecksum(JSON.stringify({ ...clean, checksum: undefined }), recordChecksum(clean))
}

/** Returns the lines of records, each with its checksum. */
export function recordLines(records: readonly object[]): string {
  return records.map(record => `${withRecordChecksum({ ...record })}\n`).join('')
}

/** Whether a record is as it was written. A record without a checksum counts as valid. */
export function hasValidRecordChecksum(record: unknown): boolean {
  if (record === null || typeof record !== 'object' || !('checksum' in record)) return true
  return record.checksum === recordChecksum(record as unknown as Readonly<Record<string, unknown>>)
}

/** Returns the text of a JSON object, with the checksum of the whole text as the last field. The object must have a field. */
export function withTextChecksum(json: string): string {
  return withChecksum(json, textChecksum(json))
}

/** Whether a text is as `withTextChecksum` returned it. A text without a checksum counts as valid. */
export function hasValidTextChecksum(line: string): boolean {
  const at = line.length - checksumChars
  const match = checksumAtEnd.exec(at > 0 ? line.slice(at) : line)
  return match === null || textChecksum(`${line.slice(0, at)}}`) === match[1]
}

function recordChecksum(record: Readonly<Record<string, unknown>>): string {
  const compared = without(record, [...volatileFields, 'checksum'])
  if (isObject(compared.usage)) compared.usage = without(compared.usage, volatileUsage)
  return textChecksum(JSON.stringify(compared))
}

/** Returns a copy in which the named fields are undefined, so that JSON does not contain them. */
function without(
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> {
  const copy = { ...record }
  for (const field of fields) copy[field] = undefined
  return copy
}

/** CRC-32 of the UTF-8 text in 8 hex digits. */
function textChecksum(text: string): string {
  return crc32(text).toString(16).padStart(digits, '0')
}

function withChecksum(json: string, checksum: string): string {
  return `${json.slice(0, -1)},"checksum":"${checksum}"}`
}
