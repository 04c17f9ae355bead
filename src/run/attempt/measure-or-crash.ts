import { answersFromWeb } from '../../../agents/registry.ts'
import { type Attempt, isUnscoredCause } from '../../core/attempt.ts'
import { CodedError, ConfigError, DataError } from '../../core/errors.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { firstLineOf } from '../../text/plain-text.ts'
import type { RunResources } from '../resources/run-resources.ts'
import type { MadeAttempt, MeasuredAttempt, Measurer } from './measurer.ts'
import type { FoundLeak } from './watch.ts'

/** An attempt with its measures, and the gold that tools showed to the agent. */
export interface MeasuredWithLeaks extends MeasuredAttempt {
  readonly goldShown: readonly FoundLeak[]
}

/**
 * Measures and scores an attempt that has ended. A temporary failure, such as a document that its benchmark
 * could not load, ends only this attempt, as harness / crash. The attempt is unscored and keeps its answer.
 *
 * @throws an error that ends the run: wrong input, a failure of the machine, or any failure in a cancelled
 * run
 */
export async function measureOrCrash(
  made: MadeAttempt,
  measurer: Measurer,
  resources: RunResources,
): Promise<MeasuredWithLeaks> {
  try {
    const { task, setting } = made.planned
    // Results of queries may contain the gold, because they come from the documents of the task.
    const goldShown = answersFromWeb(setting)
      ? await measurer.goldShown(task, made.watch.toolResults, resources)
      : []
    return { ...(await measurer.measure(made, resources)), goldShown }
  } catch (error) {
    if (made.cancelled.aborted || !isPassing(error)) throw error
    const record = crashed(made.record, resources.withoutSecrets(problemOf(error)))
    return { ...(await measurer.leaveUnmeasured({ ...made, record }, resources)), goldShown: [] }
  }
}

/** An attempt that a provider, the harness or the operator ended keeps its termination. */
function crashed(record: Attempt, problem: string): Attempt {
  const { termination } = record
  if (isUnscoredCause(termination.cause)) return record
  const detail = `its measures could not be taken: ${problem}`
  return { ...record, termination: { ...termination, cause: 'harness', reason: 'crash', detail } }
}

/**
 * Whether the same work may succeed later or in another attempt. Returns false for wrong input and for errors
 * that end the run.
 */
function isPassing(error: unknown): boolean {
  if (isFatalToRun(error)) return false
  // Our error has the exception of the document's load function as its cause.
  if (error instanceof DataError && error.code === 'invalid-document')
    return error.cause !== undefined && !(error.cause instanceof CodedError)
  return !(error instanceof ConfigError || error instanceof DataError)
}

function problemOf(error: unknown): string {
  const message = firstLineOf(error)
  return error instanceof Error && !(error instanceof CodedError) ? `${error.name}: ${message}` : message
}
