import { isInfrastructureCause, isUnfinished, type Termination } from '../../core/attempt.ts'

/**
 * Returns a function that decides by an attempt's termination whether it is made again: an unfinished attempt always, one
 * that a provider or the harness ended if --retry names it.
 *
 * @param retry the value of --retry; null without the flag
 */
export function shouldRerun(
  retry: string | null,
): (end: Pick<Termination, 'cause' | 'reason' | 'fatalService'>) => boolean {
  return end => {
    const { cause, reason } = end
    if (isUnfinished(end)) return true
    if (retry === null || !isInfrastructureCause(cause)) return false
    return retry === 'unscored' || retry === reason
  }
}
