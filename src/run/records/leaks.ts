import { join } from 'node:path'
import { z } from 'zod/v4'
import { BlockedSourceError } from '../../../tools/web/block-list.ts'
import { type Transport, transportFor } from '../../../tools/web/transport.ts'
import { attemptIdSchema } from '../../core/inner-path.ts'
import { readRecords } from './json-lines.ts'

/** One line of leaks.jsonl: an attempt saw the benchmark's answers, or requested a page that publishes them. */
export const leakSchema = z.object({
  /** The attempt. */
  attemptId: attemptIdSchema,
  /** Its task. */
  taskId: z.string(),
  /** Its setting. */
  setting: z.string(),
  /** The model turn, from 1. */
  step: z.int(),
  /**
   * `blocked`: the agent asked for a page on the block list, and no request was sent. `canary`: the result of a
   * tool contained rows of the gold outside the documents.
   */
  how: z.enum(['blocked', 'canary']),
  /** The address; null when a search result has none. */
  url: z.string().nullable(),
  /** The rule of the block list, or the values that were found. */
  detail: z.string(),
})
export type Leak = z.infer<typeof leakSchema>

/** Reads the leak ledger of a run, in the order of its attempts. A run without the file has no leaks. */
export async function readLeaks(folder: string): Promise<Leak[]> {
  return await readRecords(join(folder, 'leaks.jsonl'), leakSchema)
}

/** Returns the ids of all attempts in the leak ledger. An attempt that only requested the answers may have seen them elsewhere. */
export function listTaintedAttempts(leaks: readonly Leak[]): Set<string> {
  return new Set(leaks.map(leak => leak.attemptId))
}

/** Wraps a transport and reports the requests that the block list refuses. The agent sees the same error as for any refused page. */
export function watchBlocked(
  inner: Transport,
  report: (blocked: { readonly url: string; readonly rule: string }) => void,
): Transport {
  return {
    name: inner.name,
    forAttempt: id => watchBlocked(transportFor(inner, id), report),
    async send(request, signal) {
      try {
        return await inner.send(request, signal)
      } catch (error) {
        if (error instanceof BlockedSourceError) report({ url: error.url, rule: error.rule })
        throw error
      }
    },
  }
}
