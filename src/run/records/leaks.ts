import { join } from 'node:path'
import { z } from 'zod/v4'
import { BlockedSourceError } from '../../../tools/web/block-list.ts'
import { type Transport, transportFor } from '../../../tools/web/transport.ts'
import { readRecords } from './json-lines.ts'

/** One line of leaks.jsonl: an attempt saw the benchmark's answers, or requested a page that publishes them. */
export const leakSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  setting: z.string(),
  /** The model turn, 1-based. */
  step: z.int(),
  /** `blocked`: a request for a page on the block list was refused. `canary`: a tool's result contained gold rows. */
  how: z.enum(['blocked', 'canary']),
  url: z.string().nullable(),
  detail: z.string(),
})
export type Leak = z.infer<typeof leakSchema>

/** Reads the leak ledger of a run, in the order of its attempts. A run without the file has no leaks. */
export async function readLeaks(folder: string): Promise<Leak[]> {
  return await readRecords(join(folder, 'leaks.jsonl'), leakSchema)
}

/** Returns the ids of all attempts in the leak ledger. An attempt that only requested the answers may have seen them elsewhere. */
export function taintedAttempts(leaks: readonly Leak[]): Set<string> {
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
