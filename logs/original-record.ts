import { z } from 'zod/v4'
import { attemptSchema, recordVersion } from '../src/core/attempt.ts'
import { DataError } from '../src/core/errors.ts'
import { scoreSchema } from '../src/core/score.ts'
import { describeZodProblem } from '../src/core/zod-problems.ts'
import { sha256 } from '../src/system/hash.ts'
import { isObject } from '../src/text/json.ts'
import { envelopeSchema, eventBodySchema } from './events.ts'

/** The member of an export in a foreign format that contains the attempt as Tablehunt recorded it. */
export const originalKey = 'tablehunt'

const originalSchema = z.object({
  recordVersion: z.literal(recordVersion),
  attempt: attemptSchema,
  scores: z.array(scoreSchema),
  /** The answers as the model wrote them. */
  answers: z.object({
    answerText: z.string().nullable(),
    turnTexts: z.array(z.string().nullable()).readonly().optional(),
  }),
  /** The trace. Empty when it could not be read. */
  events: z.array(envelopeSchema.and(eventBodySchema)),
  /** The texts that the trace gives by their hashes; null for a text of the conversation, which the export contains anyway. */
  texts: z.record(z.string(), z.string().nullable()),
})
/** An attempt as Tablehunt recorded it, inside an export in a foreign format. */
export type OriginalRecord = z.infer<typeof originalSchema>

/**
 * Makes the original record of an exported attempt.
 *
 * @param texts the stored texts of the attempt by their hashes
 * @param conversation the texts that the export contains anyway
 */
export function createOriginal(
  { attempt: { files: _, ...attempt }, ...facts }: Omit<OriginalRecord, 'recordVersion'>,
  conversation: readonly string[],
): OriginalRecord {
  const texts = { ...facts.texts }
  for (const hash of conversation.map(sha256)) if (hash in texts) texts[hash] = null
  return { recordVersion, attempt, ...facts, texts }
}

/**
 * Reads the original record of an export, with all of its texts that the export still contains; null when the document is not an export of Tablehunt.
 *
 * @param conversation the texts that the export contains elsewhere
 * @throws DataError `damaged-original-record`
 */
export function readOriginal(extra: unknown, conversation: readonly string[]): OriginalRecord | null {
  if (!isObject(extra) || extra[originalKey] === undefined) return null
  const parsed = originalSchema.safeParse(extra[originalKey])
  if (!parsed.success) throw createDamageError(describeZodProblem(parsed.error, originalKey))
  const wrong = findWrongHash(parsed.data.events)
  if (wrong !== null) throw createDamageError(`${wrong} is no SHA-256`)
  const textByHash = new Map(conversation.map(text => [sha256(text), text]))
  const texts = Object.entries(parsed.data.texts).map(([hash, text]) => [
    hash,
    text ?? textByHash.get(hash) ?? null,
  ])
  return { ...parsed.data, texts: Object.fromEntries(texts) }
}

function createDamageError(why: string): DataError {
  return new DataError(
    `its member '${originalKey}' is not a record of this version: ${why}. Remove the member to import the conversation alone, or use the version that wrote it.`,
    { code: 'damaged-original-record' },
  )
}

const hashFields = new Set(['blob', 'textSha256', 'sight'])

/** Hashes become names of files, so nothing else may be in their places. Returns the first value that is none; null without one. */
function findWrongHash(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(findWrongHash).find(wrong => wrong !== null) ?? null
  if (!isObject(value)) return null
  for (const [name, inner] of Object.entries(value)) {
    if (hashFields.has(name) && typeof inner === 'string' && !/^[0-9a-f]{64}$/.test(inner)) return inner
    const wrong = findWrongHash(inner)
    if (wrong !== null) return wrong
  }
  return null
}
