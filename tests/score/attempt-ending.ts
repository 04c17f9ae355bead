import type { Attempt, AttemptEnd } from '../../src/core/attempt.ts'
import { sampleAttempt } from '../../src/testing/sample-attempt.ts'

/** An attempt at a Chinese legal task that ended without an answer. */
export const attemptEnding = (end: AttemptEnd, benchmark = 'aoe'): Attempt =>
  sampleAttempt(end, { benchmark, domain: 'legal', language: 'zh' })
