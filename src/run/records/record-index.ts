import { z } from 'zod/v4'
import { parseLine, type Span, wholeLines } from './json-lines.ts'

/** What makes a record the same as a later one of its file. */
export interface RecordKey<T extends { attemptId: string }> {
  readonly schema: z.ZodType<T>
  of(record: T): string
}

const attemptIdentity = z.object({ attemptId: z.string() })
export const attemptKey: RecordKey<z.infer<typeof attemptIdentity>> = {
  schema: attemptIdentity,
  of: record => record.attemptId,
}

const scoreIdentity = z.object({ attemptId: z.string(), profile: z.string(), judge: z.string() })
export const scoreKey: RecordKey<z.infer<typeof scoreIdentity>> = {
  schema: scoreIdentity,
  of: ({ attemptId, profile, judge }) => JSON.stringify([attemptId, profile, judge]),
}

export interface Place extends Span {
  readonly attemptId: string
}

/** Where the records of a file stand; the records themselves stay on disk. */
export interface RecordIndex {
  /** By key, in the place of the first of that key. */
  readonly latest: Map<string, Place>
  /** Those that a later one of the same key replaced, as they came. */
  readonly replaced: Place[]
}

export function addToIndex<T extends { attemptId: string }>(
  { latest, replaced }: RecordIndex,
  key: RecordKey<T>,
  record: T,
  { start, length }: Span,
): void {
  const name = key.of(record)
  const earlier = latest.get(name)
  if (earlier !== undefined) replaced.push(earlier)
  latest.set(name, { start, length, attemptId: record.attemptId })
}

export async function indexRecords<T extends { attemptId: string }>(
  path: string,
  key: RecordKey<T>,
): Promise<RecordIndex> {
  const index: RecordIndex = { latest: new Map(), replaced: [] }
  for await (const line of wholeLines(path)) addToIndex(index, key, parseLine(path, line, key.schema), line)
  return index
}

/** In the order of the attempts; what belongs to none of them stands last. */
export function inOrder(places: ReadonlyMap<string, Place>, attemptIds: readonly string[]): Place[] {
  const rank = new Map(attemptIds.map((id, index) => [id, index]))
  const rankOf = ({ attemptId }: Place): number => rank.get(attemptId) ?? attemptIds.length
  return [...places.values()].sort((a, b) => rankOf(a) - rankOf(b))
}
