import type { Attempt } from '../../src/core/attempt.ts'

/** Returns an attempt without what differs between two equal runs: times, and hashes of files that contain times. */
export function withoutTimes({ startedAt, endedAt, usage, files, ...attempt }: Attempt) {
  return { ...attempt, usage: { ...usage, wallMs: 0, workingMs: 0 } }
}
