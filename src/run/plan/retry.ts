import { isUnfinished, type Termination, terminationReasons } from '../../core/attempt.ts'

/** Causes by which our infrastructure or a provider killed an attempt, through no fault of the agent. */
const killers = ['provider', 'harness'] as const

/** What --retry takes: `unscored` for all that were killed, or one reason. */
export const retryChoices: readonly string[] = [
  'unscored',
  ...killers.flatMap(cause => [...terminationReasons[cause]]),
]

/** Whether an attempt that ended so is made again: unfinished ones always, killed ones as --retry says. */
export function madeAgain(
  retry: string | null,
): (end: Pick<Termination, 'cause' | 'reason' | 'fatalService'>) => boolean {
  return end => {
    const { cause, reason } = end
    if (isUnfinished(end)) return true
    if (retry === null || !killers.some(killer => killer === cause)) return false
    return retry === 'unscored' || retry === reason
  }
}
