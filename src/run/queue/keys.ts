import { packageVersion } from '../../system/paths.ts'

/** The queue of this version. Workers of other versions do not take its jobs. */
export const queueName = `tablehunt-${packageVersion}`

/** An attempt of a campaign. */
export interface AttemptJob {
  readonly runId: string
  readonly attemptId: string
}

/** A job on the queue. */
export interface SignedJob extends AttemptJob {
  /** In base64. */
  readonly signature: string
}

/** Returns the id of an attempt's job. The same attempt has the same id, so that it is never on the queue twice. */
export function createJobId({ runId, attemptId }: AttemptJob): string {
  return `${runId}.${attemptId}`
}

/** The Redis keys of a campaign. */
export interface CampaignKeys {
  /** Every key of the campaign begins with it. */
  readonly prefix: string
  /** JSON: the campaign (campaign.ts). */
  readonly campaign: string
  /** A hash: the bytes of a file in parts. */
  file(sha256: string): string
  /** A hash: the packed results by attempt id, until they are recorded. */
  readonly results: string
  /** Set by the worker that makes the attempt; expires without its heartbeat. */
  doing(attemptId: string): string
  /** Exists while the run sends signs of life. */
  readonly wanted: string
  /** Exists when running attempts must end at once. */
  readonly cancelled: string
  /** A channel for messages of workers to the coordinator. */
  readonly notices: string
  readonly budget: string
  readonly held: string
  readonly spent: string
  readonly waiting: string
}

/** Returns the Redis keys of a campaign. */
export function nameCampaignKeys(runId: string): CampaignKeys {
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
