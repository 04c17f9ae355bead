import type { RunConfig } from '../../config.ts'
import type { Clock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import type { Gates } from './gates.ts'
import type { Web } from './web.ts'

/** What every part of a run is opened with. */
export interface OpeningInput {
  readonly config: RunConfig
  readonly tasks: readonly Task[]
  /** A folder of look-alike documents that the sealed web contains besides its twins; null when there is none. */
  readonly distractors: string | null
  /** Replaces the web that --web names, and is closed with the run. When null or absent, --web decides. */
  readonly web?: Web | null
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Aborts work outside attempts, such as judging. */
  readonly signal: AbortSignal
  /** The rate limits of services. By default, the limits apply to this process only. */
  readonly gates?: Gates
  /** Receives progress lines of work outside attempts, such as a long embedding, and problems during the run. */
  tell(line: string): void
}
