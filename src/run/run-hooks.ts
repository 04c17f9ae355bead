import { type Clock, systemClock } from '../core/runtime.ts'
import type { Web } from './resources/web.ts'
import type { RunEvent } from './watch/progress.ts'

/**
 * What the caller of a run hands in: who listens and who may stop it. Every field has a quiet default.
 *
 * @example
 * import { run, type RunHooks } from 'tablehunt'
 *
 * const stop = new AbortController()
 * const hooks: Partial<RunHooks> = { tell: event => console.log(event.type), stopping: stop.signal }
 * await run({ tasks: 'tasks.jsonl', docs: 'documents', setting: 'offline', limit: 1, out: 'runs/hooks' }, hooks)
 */
export interface RunHooks {
  /** Called for each event of the run, such as a finished attempt. */
  tell(event: RunEvent): void
  /** Aborts: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts: running attempts end now, as operator / cancelled. */
  readonly cancelled: AbortSignal
  /** A folder of look-alikes for the sealed web; null: none. */
  readonly distractors: string | null
  /** Stands in for the web that --web names, and is closed with the run; null: none does. */
  readonly web: Web | null
  /** The command line, for the manifest. */
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Times attempts and waits between retries. Tests replace it. */
  readonly clock: Clock
}

const never = new AbortController().signal
/** Nobody listens, nobody stops it. */
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
