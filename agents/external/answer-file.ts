import { open } from 'node:fs/promises'
import { join } from 'node:path'

const mostBytes = 8_000_000

/** Returns the end of the file to which an agent wrote its answer; empty when the file is missing. */
export async function readAnswerFile(folder: string, name: string): Promise<string> {
  try {
    const file = await open(join(folder, name), 'r')
    try {
      const { size } = await file.stat()
      const length = Math.min(size, mostBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
