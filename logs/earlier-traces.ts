import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openTrace, type Trace, type TraceOptions, tracePath } from './writer.ts'

function supersededFolder(run: string): string {
  return join(run, 'traces', 'superseded')
}

/**
 * Moves the trace of an attempt that is repeated to traces/superseded/ID.N.jsonl. Does nothing when the trace does
 * not exist.
 */
export function setTraceAside(run: string, attemptId: string): void {
  const path = tracePath(run, attemptId)
  if (!existsSync(path)) return
  mkdirSync(supersededFolder(run), { recursive: true })
  for (let number = 1; ; number++) {
    const aside = join(supersededFolder(run), `${attemptId}.${number}.jsonl`)
    if (existsSync(aside)) continue
    renameSync(path, aside)
    return
  }
}

/** Starts the trace of an attempt. An existing trace of the same attempt is moved aside first. */
export async function openNewTrace(options: TraceOptions): Promise<Trace> {
  // Checking first whether a trace exists would take as long as creating one.
  return await openTrace(options, 'refuse').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    setTraceAside(options.folder, options.attemptId)
    return await openTrace(options, 'refuse')
  })
}

/** Returns the paths of all traces that were moved aside. */
export function earlierTraces(run: string): string[] {
  if (!existsSync(supersededFolder(run))) return []
  return readdirSync(supersededFolder(run))
    .sort()
    .map(name => join(supersededFolder(run), name))
}
