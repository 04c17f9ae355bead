import { createBlobStore } from '../../logs/blobs.ts'
import { readTrace } from '../../logs/reader.ts'
import { DataError } from '../core/errors.ts'
import type { TraceSource } from '../report/html.ts'

/** The traces of a run's folder; an attempt whose trace is gone has none. */
export function traceSource(folder: string): TraceSource {
  const blobs = createBlobStore({ folder })
  return {
    async eventsOf(attemptId) {
      try {
        return (await readTrace(folder, attemptId)).events
      } catch (error) {
        if (error instanceof DataError) return null
        throw error
      }
    },
    blob: hash => blobs.get(hash),
  }
}
