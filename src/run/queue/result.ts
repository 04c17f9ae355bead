import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod/v4'
import { attemptSchema } from '../../core/attempt.ts'
import { scoreSchema } from '../../core/score.ts'
import type { ExecutedAttempt } from '../attempt/execute.ts'
import { leakSchema } from '../records/leaks.ts'
import type { AttemptJob } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'

/** The whole result of an attempt, as a worker sends it to the coordinator. */
const attemptResultSchema = z.object({
  attempt: attemptSchema,
  scores: z.array(scoreSchema),
  answerText: z.string().nullable(),
  turnTexts: z.array(z.string().nullable()).optional(),
  leaks: z.array(leakSchema),
  judgeFailure: z.string().optional(),
  /** The text of its trace. */
  trace: z.string(),
  /** The texts that its trace, or another of these texts, refers to, by hash. */
  blobs: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string()),
})

/** The trace of an attempt, with the texts that it refers to. */
export interface SentTrace {
  readonly trace: string
  /** By hash. */
  readonly blobs: Readonly<Record<string, string>>
}

export interface AttemptResult extends ExecutedAttempt, SentTrace {}

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Compresses the result of a job and signs it. The signature comes first. */
export async function packResult(
  result: AttemptResult,
  job: AttemptJob,
  signer: QueueSigner,
): Promise<Buffer> {
  const packed = await compress(JSON.stringify(result))
  return Buffer.concat([signer.sign('result', [job.runId, job.attemptId, packed]), packed])
}

const signatureBytes = 32
/** A result that expands to more is refused. The traces of the longest attempts take a few hundred megabytes. */
const mostResultBytes = 2 ** 30

/**
 * Expands the result of a job. Its keys keep their order, so that records are equal byte by byte.
 *
 * @returns null when it is not signed with the secret of the signer, or the result of another attempt
 * @throws ZodError when it is no result of this version
 */
export async function unpackResult(
  signedResult: Buffer,
  { runId, attemptId }: AttemptJob,
  signer: QueueSigner,
): Promise<AttemptResult | null> {
  const [signature, packed] = [
    signedResult.subarray(0, signatureBytes),
    signedResult.subarray(signatureBytes),
  ]
  if (!signer.isSigned('result', [runId, attemptId, packed], signature)) return null
  const bytes = await expand(packed, { maxOutputLength: mostResultBytes })
  const result: unknown = JSON.parse(bytes.toString('utf8'))
  const { attempt, scores, leaks } = attemptResultSchema.parse(result)
  const isOther = [attempt, ...scores, ...leaks].some(record => record.attemptId !== attemptId)
  return isOther ? null : (result as AttemptResult)
}
