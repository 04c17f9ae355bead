import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { TraceEvent } from '../../../logs/events.ts'
import { readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { DataError } from '../../core/errors.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { blobTexts } from './trace-source.ts'

/** A trace with what its texts are read from. */
export interface FoundTrace {
  readonly attemptId: string
  readonly events: readonly TraceEvent[]
  /** A stored text by its hash; null where it is gone. */
  readonly blob: (hash: string) => string | null
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    found => found.isFile(),
    () => false,
  )
}

/** The run's attempt of that id, or the only one whose id begins with it. DataError names the nearest. */
async function attemptNamed(run: string, wanted: string): Promise<string> {
  const files = await readdir(join(run, 'traces')).catch(() => {
    throw new DataError(`${run}: no run with traces there`)
  })
  const ids = files.filter(name => name.endsWith('.jsonl')).map(name => name.slice(0, -'.jsonl'.length))
  if (ids.includes(wanted)) return wanted
  const matches = wanted === '' ? [] : ids.filter(id => id.startsWith(wanted)).sort()
  const [only] = matches
  if (only !== undefined && matches.length === 1) return only
  throw new DataError(
    `${run}: ${matches.length === 0 ? noneNamed(wanted, ids) : severalNamed(wanted, matches)}`,
  )
}

function noneNamed(wanted: string, ids: readonly string[]): string {
  const near = nearestName(wanted, ids)
  return `no attempt '${wanted}'${near === null ? '' : `: did you mean '${near}'?`}`
}

const shownMatches = 5

function severalNamed(wanted: string, matches: readonly string[]): string {
  const more = matches.length > shownMatches ? ', …' : ''
  const shown = matches.slice(0, shownMatches).join(', ')
  return `${matches.length} attempts begin with '${wanted}': ${shown}${more}`
}

/** The trace of a run's attempt. */
export async function traceOf(run: string, attempt: string): Promise<FoundTrace> {
  const attemptId = await attemptNamed(run, attempt)
  const { events } = await readTraceFile(tracePath(run, attemptId))
  return { attemptId, events, blob: blobTexts(run) }
}

/** A trace named as RUN/ATTEMPT or by its file; DataError where there is neither. */
export async function findTrace(place: string): Promise<FoundTrace> {
  if (!place.includes('/') && !place.includes(sep) && !(await isFile(place)))
    throw new DataError(`'${place}': write RUN/ATTEMPT, or name a trace file`)
  if (!(await isFile(place))) return await traceOf(dirname(place), basename(place))
  const { events } = await readTraceFile(place)
  const attemptId = events[0]?.attemptId ?? basename(place, '.jsonl')
  return { attemptId, events, blob: blobTexts(dirname(dirname(place))) }
}
