import { createHash } from 'node:crypto'

/** A whole number in 0 … 2^32 - 1 that depends on the text alone: the same on every machine. */
export function hashedNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
