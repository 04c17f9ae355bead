import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openTrace, type Trace, type TraceOptions, tracePath } from './writer.ts'

function folderOf(run: string): string {
  return join(run, 'traces', 'superseded')
}

/** Sets the trace of an attempt aside that is made again, as traces/superseded/ID.N.jsonl. Nothing where there is none. */
export function setTraceAside(run: string, attemptId: string): void {
  const path = tracePath(run, attemptId)
  if (!existsSync(path)) return
  mkdirSync(folderOf(run), { recursive: true })
  for (let number = 1; ; number++) {
    const aside = join(folderOf(run), `${attemptId}.${number}.jsonl`)
    if (existsSync(aside)) continue
    renameSync(path, aside)
    return
  }
}

/** Begins the trace of an attempt; one that is there is set aside. */
export async function openNewTrace(options: TraceOptions): Promise<Trace> {
  // Asking first whether one is there would take as long as making it.
  return await openTrace(options, 'refuse').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    setTraceAside(options.folder, options.attemptId)
    return await openTrace(options, 'refuse')
  })
}

/** The traces that were set aside, of all attempts. */
export function earlierTraces(run: string): string[] {
  if (!existsSync(folderOf(run))) return []
  return readdirSync(folderOf(run))
    .sort()
    .map(name => join(folderOf(run), name))
}
