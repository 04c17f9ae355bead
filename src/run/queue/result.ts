import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod/v4'
import { attemptSchema } from '../../core/attempt.ts'
import { scoreSchema } from '../../core/score.ts'
import type { ExecutedAttempt } from '../attempt/execute.ts'
import { leakSchema } from '../records/leaks.ts'

/** All that an attempt leaves behind, as it goes from a worker to the coordinator. */
const attemptResultSchema = z.object({
  attempt: attemptSchema,
  scores: z.array(scoreSchema),
  answerText: z.string().nullable(),
  turnTexts: z.array(z.string().nullable()).optional(),
  leaks: z.array(leakSchema),
  /** The text of its trace. */
  trace: z.string(),
  /** The texts that its trace, or one of them, names, by hash. */
  blobs: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string()),
})
export type AttemptResult = Readonly<ExecutedAttempt> &
  Readonly<Pick<z.infer<typeof attemptResultSchema>, 'trace' | 'blobs'>>

const compress = promisify(gzip)
const expand = promisify(gunzip)

export async function packResult(result: AttemptResult): Promise<Buffer> {
  return await compress(JSON.stringify(result))
}

/** Rejects for what is no result of this version. Keys keep their order, so that records are equal byte for byte. */
export async function unpackResult(packed: Buffer): Promise<AttemptResult> {
  const result: unknown = JSON.parse((await expand(packed)).toString('utf8'))
  attemptResultSchema.parse(result)
  return result as AttemptResult
}
