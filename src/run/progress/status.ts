import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod/v4'
import type { TraceEvent } from '../../../logs/events.ts'
import { readTrace } from '../../../logs/reader.ts'
import { attemptSchema } from '../../core/attempt.ts'
import { plausibleMs } from '../../core/runtime.ts'
import { lockHolder } from '../../system/folder-lock.ts'
import { listTraces } from '../records/find-trace.ts'
import { iterateRecords } from '../records/json-lines.ts'
import type { Manifest, RunManifest } from '../records/manifest.ts'
import { readManifest } from '../records/manifest-file.ts'
import { readRepeatedSpending } from '../records/repeated-spending.ts'
import { type Standing, type TalliedAttempt, Tally, talliedSchema } from './tally.ts'

/** An attempt that has begun and has no record yet. */
export interface RunningAttempt {
  readonly attemptId: string
  readonly setting: string
  /** The model turn. */
  readonly step: number
  readonly startedAt: string
  /** Milliseconds since it began; null when the clock was changed meanwhile, so that they are unknown. */
  readonly elapsedMs: number | null
  /** Its latest action. */
  readonly doing: string
}

/** The status of a run, read from its folder. */
export interface RunStatus extends Standing {
  readonly run: string
  readonly runId: string
  /** `stopped`: attempts are left, and no process works on the run. */
  readonly state: 'running' | 'stopped' | 'done'
  readonly process: { readonly pid: number; readonly host: string; readonly since: string | null } | null
  /** Who stopped the run, and when; null when it was not stopped, or when its process was killed. */
  readonly stopped: NonNullable<RunManifest['stopped']> | null
  /** When the run first began. */
  readonly startedAt: string
  /** The running attempts; in a stopped run, those that a killed process left. */
  readonly running: readonly RunningAttempt[]
}

/**
 * Reads the status of a run from its folder. Takes no lock and writes nothing.
 *
 * @param wallNow milliseconds since the epoch, used for runs of versions whose locks do not tell the time
 * @throws DataError [not-a-run]
 */
export async function readStatus(folder: string, wallNow: number): Promise<RunStatus> {
  const manifest = await readManifest(folder)
  const holder = await lockHolder(folder)
  const bySetting = manifest.source === 'run' ? manifest.plannedBySetting : undefined
  const tally = new Tally(bySetting ?? { '': manifest.planned }, readConcurrency(manifest))
  const recorded = new Set<string>()
  const since = holder?.since ?? null
  const now = holder?.now ?? wallNow
  await addRecorded(tally, folder, {
    visit: ({ attemptId }) => void recorded.add(attemptId),
    isRunning: holder !== null,
  })
  const standing = tally.standing(since === null ? null : { since: Date.parse(since), now })
  const state = holder !== null ? 'running' : standing.left === 0 ? 'done' : 'stopped'
  return {
    run: folder,
    runId: manifest.runId,
    state,
    process: holder === null ? null : { pid: holder.pid, host: holder.host, since },
    stopped: (state === 'stopped' && manifest.source === 'run' ? manifest.stopped : null) ?? null,
    startedAt: manifest.startedAt,
    ...standing,
    running: await listRunningAttempts(folder, recorded, now),
  }
}

/** How many attempts run at a time; null when workers make them. */
function readConcurrency(manifest: Manifest): number | null {
  if (manifest.source === 'import') return 1
  const { queue = null, concurrency = 1 } = manifest.config
  return queue === null ? Number(concurrency) : null
}

const recordedSchema = talliedSchema.extend({ model: attemptSchema.shape.model })

/** Adds the attempts of a run's folder to a tally: the recorded ones, and what others have spent. */
export async function addRecorded(
  tally: Tally,
  folder: string,
  { visit, isRunning = false }: { visit(attempt: TalliedAttempt): void; readonly isRunning?: boolean },
): Promise<void> {
  const records: z.infer<typeof recordedSchema>[] = []
  for await (const attempt of iterateRecords(join(folder, 'attempts.jsonl'), recordedSchema)) {
    tally.add(attempt)
    visit(attempt)
    records.push(attempt)
  }
  const repeated = await readRepeatedSpending(folder, records, isRunning)
  if (repeated !== null) tally.addRepeated(repeated)
}

/** Lists attempts with a trace and without a record. */
async function listRunningAttempts(
  folder: string,
  recorded: ReadonlySet<string>,
  now: number,
): Promise<RunningAttempt[]> {
  const attemptIds = existsSync(join(folder, 'traces')) ? await listTraces(folder) : []
  const running: RunningAttempt[] = []
  for (const attemptId of attemptIds) {
    if (recorded.has(attemptId)) continue
    const { events } = await readTrace(folder, attemptId)
    const [first, last] = [events[0], events.at(-1)]
    if (first?.type !== 'attempt-started' || last === undefined) continue
    const { setting, at: startedAt } = first
    const elapsedMs = plausibleMs(now - Date.parse(startedAt))
    running.push({ attemptId, setting, step: last.step, startedAt, elapsedMs, doing: describeAction(last) })
  }
  return running
}

function describeAction(event: TraceEvent): string {
  switch (event.type) {
    case 'model-called':
      return 'the model is asked'
    case 'tool-called':
      return `${event.tool} is under way`
    case 'provider-retried':
      return `waits after ${event.reason}`
    case 'terminated':
      return 'is scored'
    default:
      return event.type
  }
}
