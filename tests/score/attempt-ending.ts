import type { Attempt } from '../../src/core/attempt.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { sampleAttempt } from '../../src/testing/scorer.ts'

/** An attempt at a Chinese legal task that ended without an answer. */
export const attemptEnding = (end: AttemptEnd, benchmark = 'aoe'): Attempt =>
  sampleAttempt(end, { benchmark, domain: 'legal', language: 'zh' })
