import { z } from 'zod/v4'
import { attemptIdSchema } from '../../core/inner-path.ts'
import { iterateCompleteLines, type LineSpan, parseLine } from './json-lines.ts'

/** Decides which records of a file are about the same thing: a later one replaces an earlier one. */
export interface RecordKey<T extends { attemptId: string }> {
  readonly schema: z.ZodType<T>
  of(record: T): string
}

const attemptIdentity = z.object({ attemptId: attemptIdSchema })
export type KeyedAttempt = z.infer<typeof attemptIdentity>
export const attemptKey: RecordKey<KeyedAttempt> = {
  schema: attemptIdentity,
  of: record => record.attemptId,
}

const scoreIdentity = z.object({ attemptId: attemptIdSchema, scorer: z.string(), judge: z.string() })
export type KeyedScore = z.infer<typeof scoreIdentity>
export const scoreKey: RecordKey<KeyedScore> = {
  schema: scoreIdentity,
  of: ({ attemptId, scorer, judge }) => JSON.stringify([attemptId, scorer, judge]),
}

/** The position of a record. */
export interface PlacedLine extends LineSpan {
  readonly attemptId: string
}

/** The positions of the records of a file. */
export interface RecordIndex {
  /** The latest record by key. The order is that of the first record of each key. */
  readonly latest: Map<string, PlacedLine>
  /** The records that a later one with the same key replaced, in order of writing. */
  readonly replaced: PlacedLine[]
}

/** Adds a record to an index. Returns its key. */
export function addToIndex<T extends { attemptId: string }>(
  { latest, replaced }: RecordIndex,
  key: RecordKey<T>,
  record: T,
  { start, length }: LineSpan,
): string {
  const name = key.of(record)
  const earlier = latest.get(name)
  if (earlier !== undefined) replaced.push(earlier)
  latest.set(name, { start, length, attemptId: record.attemptId })
  return name
}

/**
 * Indexes the records of a file.
 *
 * @throws DataError [invalid-record, damaged-record] that names the line
 */
export async function indexRecords<T extends { attemptId: string }>(
  path: string,
  key: RecordKey<T>,
): Promise<RecordIndex> {
  const index: RecordIndex = { latest: new Map(), replaced: [] }
  for await (const line of iterateCompleteLines(path))
    addToIndex(index, key, parseLine(path, line, key.schema), line)
  return index
}

/** Sorts records in the order of the attempts; records of other attempts come last. */
export function sortLines(
  places: ReadonlyMap<string, PlacedLine>,
  attemptIds: readonly string[],
): PlacedLine[] {
  const rank = new Map(attemptIds.map((id, index) => [id, index]))
  const rankOf = ({ attemptId }: PlacedLine): number => rank.get(attemptId) ?? attemptIds.length
  return [...places.values()].sort((a, b) => rankOf(a) - rankOf(b))
}
