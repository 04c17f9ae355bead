import { join } from 'node:path'
import { z } from 'zod/v4'
import { BlockedSourceError } from '../../../tools/web/block-list.ts'
import { type Transport, transportFor } from '../../../tools/web/transport.ts'
import { readRecords } from './json-lines.ts'

/** One line of leaks.jsonl: an attempt met, or asked for, what gives the benchmark's answers away. */
export const leakSchema = z.object({
  /** The attempt. */
  attemptId: z.string(),
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

/** The leak ledger of a run, in the order of its attempts; empty where the run has none. */
export async function readLeaks(folder: string): Promise<Leak[]> {
  return await readRecords(join(folder, 'leaks.jsonl'), leakSchema)
}

/** The attempts that stand in the ledger: whoever asked for the answers may have met them elsewhere too. */
export function taintedAttempts(leaks: readonly Leak[]): Set<string> {
  return new Set(leaks.map(leak => leak.attemptId))
}

/** Reports requests that the block list refused; the agent is told of them as of any refused page. */
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
