import { recordedDate } from '../../tools/web/recording.ts'
import type { RunConfig } from '../config.ts'
import type { Clock } from '../core/runtime.ts'
import { readManifestToResume } from './records/run-folder.ts'

/**
 * Returns the date that the agent's prompt states, such as `2026-11-23`: the one of --date, else that of the run to resume, else
 * that of the recording to replay, else today (UTC). The requests of a resumed or replayed run therefore stay the same.
 */
export async function dateOfRun(
  { date, out, web }: Pick<RunConfig, 'date' | 'out' | 'web'>,
  clock: Clock,
): Promise<string> {
  if (date !== null) return date
  const earlier = (await readManifestToResume(out))?.config.date
  if (typeof earlier === 'string') return earlier
  const recorded = web.startsWith('replay:') ? await recordedDate(web.slice('replay:'.length)) : null
  return recorded ?? new Date(clock.now()).toISOString().slice(0, 10)
}
