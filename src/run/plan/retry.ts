import { isInfrastructureCause, isUnfinished, type Termination } from '../../core/attempt.ts'

/** Whether an attempt that ended so is made again: unfinished ones always, killed ones as --retry says. */
export function madeAgain(
  retry: string | null,
): (end: Pick<Termination, 'cause' | 'reason' | 'fatalService'>) => boolean {
  return end => {
    const { cause, reason } = end
    if (isUnfinished(end)) return true
    if (retry === null || !isInfrastructureCause(cause)) return false
    return retry === 'unscored' || retry === reason
  }
}
