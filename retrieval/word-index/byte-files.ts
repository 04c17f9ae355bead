import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** A file that is written from its beginning to its end. Unsigned numbers have 7 bits per byte, lowest first. */
export interface ByteWriter {
  /** How many bytes were written. */
  readonly length: number
  number(value: number): void
  bytes(bytes: Uint8Array): void
  close(): void
}

/** A file that is read from its beginning to its end. */
export interface ByteReader {
  /** Whether all bytes were read. */
  isAtEnd(): boolean
  number(): number
  /** Returns the next bytes. They are valid until the next read. */
  bytes(length: number): Buffer
  close(): void
}

const bufferBytes = 1 << 18
const longestNumber = 8

/** Creates a file. */
export function createByteWriter(path: string): ByteWriter {
  const file = openSync(path, 'w')
  const buffer = Buffer.alloc(bufferBytes)
  let filled = 0
  let flushed = 0
  const flush = (): void => {
    writeAll(file, buffer.subarray(0, filled))
    flushed += filled
    filled = 0
  }
  return {
    get length() {
      return flushed + filled
    },
    number(value) {
      if (filled + longestNumber > bufferBytes) flush()
      filled = putNumber(buffer, filled, value)
    },
    bytes(bytes) {
      if (filled + bytes.length > bufferBytes) flush()
      if (bytes.length > bufferBytes) {
        writeAll(file, bytes)
        flushed += bytes.length
        return
      }
      buffer.set(bytes, filled)
      filled += bytes.length
    },
    close() {
      flush()
      closeSync(file)
    },
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

/** Opens a file. */
export function openByteReader(path: string): ByteReader {
  const file = openSync(path, 'r')
  let buffer = Buffer.alloc(bufferBytes)
  let [at, end] = [0, 0]
  /** Makes at least so many bytes available, or all that are left. */
  const fill = (minBytes: number): void => {
    if (end - at >= minBytes) return
    const larger = minBytes > buffer.length ? Buffer.alloc(minBytes) : buffer
    buffer.copy(larger, 0, at, end)
    buffer = larger
    end -= at
    at = 0
    while (end < minBytes) {
      const count = readSync(file, buffer, end, buffer.length - end, null)
      if (count === 0) return
      end += count
    }
  }
  return {
    isAtEnd() {
      fill(1)
      return at === end
    },
    number() {
      fill(longestNumber)
      const { value, next } = numberAt(buffer, at)
      at = next
      return value
    },
    bytes(length) {
      fill(length)
      at += length
      return buffer.subarray(at - length, at)
    },
    close: () => closeSync(file),
  }
}

/** Writes a number into a buffer. Returns the position after it. */
export function putNumber(buffer: Uint8Array, at: number, value: number): number {
  let [rest, place] = [value, at]
  while (rest >= 128) {
    buffer[place++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  buffer[place] = rest
  return place + 1
}

/** Reads the number at a position of a buffer. `next` is the position after it. */
export function numberAt(buffer: Uint8Array, at: number): { value: number; next: number } {
  let [value, scale, place] = [0, 1, at]
  for (; buffer[place]! >= 128; place++) {
    value += (buffer[place]! & 127) * scale
    scale *= 128
  }
  return { value: value + buffer[place]! * scale, next: place + 1 }
}
