import { packageVersion } from '../../system/paths.ts'

/** The queue of this version: a worker of another one never takes its jobs. */
export const queueName = `tablehunt-${packageVersion}`

/** What a job on the queue says: which attempt of which campaign. */
export interface AttemptJob {
  readonly runId: string
  readonly attemptId: string
}

/** The same attempt gives the same id, so that putting it on the queue twice is putting it there once. */
export function jobIdOf({ runId, attemptId }: AttemptJob): string {
  return `${runId}.${attemptId}`
}

/** Where a campaign stands in Redis. */
export interface CampaignKeys {
  /** All that begins so is the campaign's. */
  readonly prefix: string
  /** JSON: what a worker needs to know. */
  readonly campaign: string
  /** A hash: a file's bytes in parts. */
  file(sha256: string): string
  /** A hash: what came of an attempt, packed, by attempt id; taken out when it is recorded. */
  readonly results: string
  /** Set by the worker that makes the attempt, for as long as it lives. */
  doing(attemptId: string): string
  /** There as long as the run that wants the attempts was heard of lately. */
  readonly wanted: string
  /** There when running attempts are to end now. */
  readonly cancelled: string
  /** What workers tell whoever listens, such as that one of them can't take part. */
  readonly notices: string
  readonly budget: string
  readonly held: string
  readonly spent: string
  readonly waiting: string
}

export function keysOf(runId: string): CampaignKeys {
  const prefix = `tablehunt:${runId}:`
  return {
    prefix,
    campaign: `${prefix}campaign`,
    file: sha256 => `${prefix}file:${sha256}`,
    results: `${prefix}results`,
    doing: attemptId => `${prefix}doing:${attemptId}`,
    wanted: `${prefix}wanted`,
    cancelled: `${prefix}cancelled`,
    notices: `${prefix}notices`,
    budget: `${prefix}budget`,
    held: `${prefix}held`,
    spent: `${prefix}spent`,
    waiting: `${prefix}waiting`,
  }
}
