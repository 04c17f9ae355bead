import { type Clock, systemClock } from '../core/runtime.ts'
import type { Web } from './open-run/web.ts'
import type { RunEvent } from './progress/progress.ts'

/**
 * What the caller of a run provides: a listener for its events, signals that stop it, and replacements for tests. Every
 * field has a default.
 *
 * @example
 * import { run, type RunHooks } from 'tablehunt'
 *
 * const stop = new AbortController()
 * const hooks: Partial<RunHooks> = { tell: event => console.log(event.type), stopping: stop.signal }
 * await run({ tasks: 'tasks.jsonl', docs: 'documents', setting: 'offline', limit: 1, out: 'runs/hooks' }, hooks)
 */
export interface RunHooks {
  /** Receives the events of the run. */
  tell(event: RunEvent): void
  /** Aborts: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts: running attempts end at once, as operator / cancelled. */
  readonly cancelled: AbortSignal
  /** A folder of look-alike documents for the sealed web; null when there is none. */
  readonly distractors: string | null
  /** Replaces the web that --web names, and is closed with the run. Null: --web decides. */
  readonly web: Web | null
  /** The command line, for the manifest. */
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Times attempts and waits between retries. Tests replace it. */
  readonly clock: Clock
}

const never = new AbortController().signal
/** The default hooks: events are ignored, and nothing stops the run. */
export const quietHooks: RunHooks = {
  tell: () => undefined,
  stopping: never,
  cancelled: never,
  distractors: null,
  web: null,
  command: [],
  env: process.env,
  clock: systemClock,
}
