import { join } from 'node:path'
import { readBlob } from '../../../logs/blobs.ts'
import { readTrace } from '../../../logs/reader.ts'
import { DataError } from '../../core/errors.ts'
import type { TraceSource } from '../../report/html/html.ts'

/** Returns a reader of the traces of a run's folder. A missing or damaged trace is null. */
export function traceSource(folder: string): TraceSource {
  return {
    async eventsOf(attemptId) {
      try {
        return (await readTrace(folder, attemptId)).events
      } catch (error) {
        if (error instanceof DataError) return null
        throw error
      }
    },
    blob: makeBlobReader(folder),
  }
}

/** Returns a reader of the stored texts of a run's folder, by hash; null for a missing text. */
export function makeBlobReader(folder: string): (hash: string) => string | null {
  return hash => readBlob(join(folder, 'traces', 'blobs'), hash)
}
