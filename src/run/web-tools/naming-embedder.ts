import { ProviderError, RunError } from '../../core/errors.ts'

/**
 * Does work that needs an embedder.
 *
 * @throws RunError [embedder-failed] in place of the failure of its service
 */
export async function nameEmbedder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new RunError(
      `the embedder failed (${error.message}). Check that its service runs and that its key is set, and run the command again.`,
      { code: 'embedder-failed', cause: error },
    )
  }
}
