import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTrace } from '../../../logs/reader.ts'
import { DataError } from '../../core/errors.ts'
import type { TraceSource } from '../../report/html/html.ts'
import { ifMissing } from '../../system/files.ts'

/** The traces of a run's folder; an attempt whose trace is gone has none. */
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
    blob: blobTexts(folder),
  }
}

/** The stored texts of a run's folder by their hash; null where one is gone. Nothing is written. */
export function blobTexts(folder: string): (hash: string) => string | null {
  return hash => {
    try {
      return readFileSync(join(folder, 'traces', 'blobs', hash), 'utf8')
    } catch (error) {
      return ifMissing(error)
    }
  }
}
