import { CodedError, ToolError } from '../../src/core/errors.ts'
import { readInThread } from '../../src/system/read-thread.ts'
import { TooLargeError } from '../../src/system/reading-limits.ts'
import { untilAborted } from '../../src/system/retry.ts'
import { firstLineOf } from '../../src/text/plain-text.ts'
import type { PageSource } from './html-page.ts'

/**
 * Reads a body of the web in a thread of its own, so that no body can stop the other attempts.
 *
 * @param reader the name of a reader in `tools/read-worker.ts`
 * @throws ToolError `too-large` when the body exceeds a limit, `unreadable` when the reader failed
 */
export async function readBodyInThread<Result>(
  reader: 'page' | 'text',
  source: PageSource,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await untilAborted(readInThread<Result>(reader, source), signal)
  } catch (error) {
    if (signal.aborted || error instanceof CodedError) throw error
    const isTooLarge = error instanceof TooLargeError
    const what = isTooLarge ? error.what : `the page could not be read (${firstLineOf(error)})`
    throw new ToolError(isTooLarge ? 'too-large' : 'unreadable', `${source.finalUrl}: ${what}`, {
      cause: error,
    })
  }
}
