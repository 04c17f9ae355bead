import type { SettingOutcome } from '../../../agents/setting.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { RunResources } from '../resources/run-resources.ts'
import type { AttemptWatch, FoundLeak, ToolResult } from './watch.ts'

/** An attempt that has ended and is not measured yet. */
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
  /** The hash of the stored list of documents that the attempt saw; null when unknown. */
  readonly seenHash: string | null
}

/** Measures and scores attempts that have ended. src/run/measure implements it. */
export interface Measurer {
  /** The text indexes of chunks, shared by all attempts of a run. */
  readonly chunkIndexes: TextIndexes
  /** Finds gold in the results that tools showed to the agent. */
  goldShown(task: Task, toolResults: readonly ToolResult[], resources: RunResources): Promise<FoundLeak[]>
  measure(made: MadeAttempt, resources: RunResources): Promise<MeasuredAttempt>
  /**
   * Records an attempt that a provider, the harness or the operator ended: unscored, without measures. Loads
   * no documents.
   */
  leaveUnmeasured(made: MadeAttempt, resources: RunResources): Promise<MeasuredAttempt>
}
