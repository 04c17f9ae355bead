import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTraceAside } from '../../../logs/earlier-traces.ts'
import { tracePath } from '../../../logs/writer.ts'
import { DataError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'
import { writeWhole } from '../../core/write-whole.ts'
import type { AttemptResult } from './result.ts'

/** Writes the trace of an attempt that a worker made, and its texts, into the run's folder. */
export async function keepTrace(folder: string, { attempt, trace, blobs }: AttemptResult): Promise<void> {
  for (const [hash, text] of Object.entries(blobs)) {
    const path = join(folder, 'traces', 'blobs', hash)
    if (existsSync(path)) continue
    if (sha256(text) !== hash) throw new DataError(`${attempt.attemptId}: a text of its trace came damaged`)
    await writeWhole(path, text)
  }
  const path = tracePath(folder, attempt.attemptId)
  // A coordinator that died after this and before its record was written comes by here again.
  if ((await readFile(path, 'utf8').catch(() => null)) === trace) return
  setTraceAside(folder, attempt.attemptId)
  await writeWhole(path, trace)
}
