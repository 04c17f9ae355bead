import { isInfrastructureCause, isUnfinished, type Termination } from '../../core/attempt.ts'

/** Returns whether an attempt runs again, by how it ended: unfinished ones always, those that a provider or the harness ended as --retry says. */
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
