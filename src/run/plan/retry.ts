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
): (
  end: Pick<Termination, 'cause' | 'reason' | 'fatalService' | 'endedByRunBudget'>,
  missingDocuments?: Attempt['missingDocuments'],
) => boolean {
  return (end, missingDocuments = []) => {
    const { cause, reason } = end
    if (isUnfinished(end)) return true
    const isIncomplete = missingDocuments.length > 0 || end.endedByRunBudget === true
    if (retry === 'unscored' && isIncomplete) return true
    if (retry === null || !isInfrastructureCause(cause)) return false
    return retry === 'unscored' || retry === reason
  }
}
