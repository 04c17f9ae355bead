import { join } from 'node:path'
import { recordedDate } from '../../tools/web/recording.ts'
import { attemptSchema } from '../core/attempt.ts'
import type { Clock } from '../core/runtime.ts'
import { readRecords } from './records/json-lines.ts'
import { findEarlierRun } from './records/run-folder.ts'

/**
 * Returns the date that the agent's prompt states, such as `2026-11-23`: the one of --date, else that of the run to resume, else
 * the day of its first attempt when its manifest is lost, else that of the recording to replay, else today (UTC). The requests of a resumed or replayed run therefore stay the same.
 */
export async function dateOfRun(
  { date, out, web }: { readonly date: string | null; readonly out: string; readonly web: string },
  clock: Clock,
): Promise<string> {
  if (date !== null) return date
  const earlier = await findEarlierRun(out)
  if (earlier.kind === 'run' && typeof earlier.manifest.config.date === 'string')
    return earlier.manifest.config.date
  if (earlier.kind === 'manifest-lost') return await dateOfFirstAttempt(out)
  const recorded = web.startsWith('replay:') ? await recordedDate(web.slice('replay:'.length)) : null
  return recorded ?? new Date(clock.now()).toISOString().slice(0, 10)
}

const startSchema = attemptSchema.pick({ startedAt: true })

async function dateOfFirstAttempt(folder: string): Promise<string> {
  const starts = await readRecords(join(folder, 'attempts.jsonl'), startSchema)
  const [first] = starts.map(({ startedAt }) => startedAt).sort()
  return first!.slice(0, 10)
}
