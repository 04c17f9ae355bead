import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod/v4'
import { attemptSchema } from '../../core/attempt.ts'
import { scoreSchema } from '../../core/score.ts'
import type { ExecutedAttempt } from '../attempt/execute.ts'
import { leakSchema } from '../records/leaks.ts'

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

/** Compresses a result. */
export async function packResult(result: AttemptResult): Promise<Buffer> {
  return await compress(JSON.stringify(result))
}

/**
 * Expands a result. Its keys keep their order, so that records are equal byte by byte.
 *
 * @throws ZodError when it is no result of this version
 */
export async function unpackResult(packed: Buffer): Promise<AttemptResult> {
  const result: unknown = JSON.parse((await expand(packed)).toString('utf8'))
  attemptResultSchema.parse(result)
  return result as AttemptResult
}
