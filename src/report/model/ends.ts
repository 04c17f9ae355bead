import type { PrimaryMeans } from './first-report.ts'

/** How many attempts ended for one reason, and the mean of the primary metric over them, in a field by its key. */
export interface EndCounts extends PrimaryMeans {
  readonly cause: string
  readonly reason: string
  readonly n: number
  /** Of the setting's attempts. */
  readonly share: number
  /** Answered, and not killed. */
  readonly passed: number
}

/** Why the attempts of a setting ended, those of all its models and variants together. */
export interface TerminationRow extends EndCounts {
  readonly setting: string
  /** The id of the setting's arm; null: it has several. */
  readonly arm: string | null
}

/** Why the attempts of one setting, model and variant ended. */
export interface EndRow extends TerminationRow {
  readonly model: string
  readonly variant: string
  readonly arm: string
  readonly profile: string
  readonly judge: string
  /** Every attempt that has not passed: killed, or no table could be read; without a score: no answer. */
  readonly failed: number
  /** Of the failures of that setting, model and variant; null without any. */
  readonly shareOfFailures: number | null
}
