import type { Attempt } from '../../core/attempt.ts'
import { isInfrastructureCause, isUnfinished, type Termination } from '../../core/termination.ts'

/**
 * Returns a function that decides by an attempt's termination whether it is made again. Unfinished attempts
 * always are; attempts that a provider or the harness ended are if --retry names them, and attempts that lacked documents
 * or the run's budget with --retry unscored.
 *
 * @param retry the value of --retry; null without the flag
 */
export function shouldRerun(
  retry: string | null,
): (termination: Termination, missingDocuments?: Attempt['missingDocuments']) => boolean {
  return (termination, missingDocuments = []) => {
    const { cause, reason } = termination
    if (isUnfinished(termination)) return true
    const isIncomplete = missingDocuments.length > 0 || termination.endedByRunBudget === true
    if (retry === 'unscored' && isIncomplete) return true
    if (retry === null || !isInfrastructureCause(cause)) return false
    return retry === 'unscored' || retry === reason
  }
}
