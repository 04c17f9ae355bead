import { readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { TraceEvent } from '../../../logs/events.ts'
import { readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { DataError } from '../../core/errors.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { isFile } from '../../system/files.ts'
import { makeBlobReader } from './trace-source.ts'

/** A trace, with a reader of its stored texts. */
export interface FoundTrace {
  readonly attemptId: string
  readonly events: readonly TraceEvent[]
  /** Returns a stored text by its hash; null when it is missing. */
  readonly blob: (hash: string) => string | null
}

/** Lists the ids of the attempts with a trace in a run's folder, in order. */
export async function listTraces(run: string): Promise<string[]> {
  const files = await readdir(join(run, 'traces'))
  return files
    .filter(name => name.endsWith('.jsonl'))
    .map(name => name.slice(0, -'.jsonl'.length))
    .sort()
}

/**
 * Lists the traces of a run as `listTraces` does, for a folder that a user named.
 *
 * @throws DataError [not-a-run] when the folder has no folder of traces that can be read
 */
export async function listTracedAttempts(run: string): Promise<string[]> {
  return await listTraces(run).catch(() => {
    throw new DataError(`${run}: this folder is not a run with traces. Name the folder of a run.`, {
      code: 'not-a-run',
    })
  })
}

/** Returns the id of a run's attempt from an id, or from the beginning of exactly one. */
async function findNamedAttempt(run: string, idStart: string): Promise<string> {
  const ids = await listTracedAttempts(run)
  if (ids.includes(idStart)) return idStart
  const matches = idStart === '' ? [] : ids.filter(id => id.startsWith(idStart)).sort()
  const [only] = matches
  if (only !== undefined && matches.length === 1) return only
  if (matches.length === 0)
    throw new DataError(`${run}: ${writeNoneNamed(idStart, ids)}`, { code: 'unknown-attempt' })
  throw new DataError(`${run}: ${writeSeveralNamed(idStart, matches)}`, { code: 'ambiguous-attempt' })
}

function writeNoneNamed(idStart: string, ids: readonly string[]): string {
  const near = nearestName(idStart, ids)
  return `unknown attempt '${idStart}'. ${near === null ? 'The names of the files in traces/ are the ids.' : `Did you mean '${near}'?`}`
}

const shownMatches = 5

function writeSeveralNamed(idStart: string, matches: readonly string[]): string {
  const more = matches.length > shownMatches ? ', …' : ''
  const shown = matches.slice(0, shownMatches).join(', ')
  return `${matches.length} attempts begin with '${idStart}': ${shown}${more}. Write more of the id.`
}

/**
 * Reads the trace of a run's attempt.
 *
 * @param attempt its id, or the beginning of the id
 * @throws DataError [not-a-run, unknown-attempt, ambiguous-attempt]
 */
export async function readAttemptTrace(run: string, attempt: string): Promise<FoundTrace> {
  const attemptId = await findNamedAttempt(run, attempt)
  const { events } = await readTraceFile(tracePath(run, attemptId))
  return { attemptId, events, blob: makeBlobReader(run) }
}

/**
 * Reads the trace that RUN/ATTEMPT or the path of a trace file names.
 *
 * @throws DataError [no-trace, not-a-run, unknown-attempt, ambiguous-attempt]
 */
export async function findTrace(place: string): Promise<FoundTrace> {
  if (!place.includes('/') && !place.includes(sep) && !(await isFile(place)))
    throw new DataError(`'${place}' names no trace. Write RUN/ATTEMPT, or the path of a trace file.`, {
      code: 'no-trace',
    })
  if (!(await isFile(place))) return await readAttemptTrace(dirname(place), basename(place))
  const { events } = await readTraceFile(place)
  const attemptId = events[0]?.attemptId ?? basename(place, '.jsonl')
  return { attemptId, events, blob: makeBlobReader(dirname(dirname(place))) }
}
