import { open } from 'node:fs/promises'

/**
 * Reads a part of a file.
 *
 * @param end - the position after the last byte; null for the end of the file
 */
export async function readBytes(path: string, start: number, end: number | null): Promise<Buffer> {
  const file = await open(path)
  try {
    const length = (end ?? (await file.stat()).size) - start
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
