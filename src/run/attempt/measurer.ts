import type { SettingOutcome } from '../../../agents/setting.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { RunResources } from '../resources/run-resources.ts'
import type { AttemptWatch, FoundLeak, ToldEvent } from './watch.ts'

/** An attempt that is over and not yet measured. */
export interface MadeAttempt {
  readonly planned: PlannedAttempt
  readonly outcome: SettingOutcome
  /** Its record, before measures are added. */
  readonly record: Attempt
  readonly watch: AttemptWatch
  readonly cancelled: AbortSignal
}

export interface MeasuredAttempt {
  readonly attempt: Attempt
  readonly scores: Score[]
  /** The hash of the stored text that says which documents the attempt saw; null where that is not known. */
  readonly seenHash: string | null
}

/** Measures and scores attempts that are over. The room `measure` provides it; whoever makes attempts receives it. */
export interface Measurer {
  /** Indexes of chunks, shared by all attempts of a run. */
  readonly chunkIndexes: TextIndexes
  /** Finds gold that tools showed to the agent. */
  goldShown(task: Task, told: readonly ToldEvent[], resources: RunResources): Promise<FoundLeak[]>
  measure(made: MadeAttempt, resources: RunResources): Promise<MeasuredAttempt>
  /** Records an attempt that ended for no fault of the agent: unscored, without measures. Loads no documents. */
  leaveUnmeasured(made: MadeAttempt, resources: RunResources): Promise<MeasuredAttempt>
}
