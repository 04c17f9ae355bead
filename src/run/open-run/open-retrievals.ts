import type { Retrievals } from '../../../retrieval/retrieval.ts'
import type { RunConfig } from '../../config.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'

/** The options that decide how chunks are embedded, stored and retrieved. */
export type RetrievalOptions = Pick<RunConfig, 'chroma' | 'embedder' | 'retriever' | 'vectorStore'>

interface RetrievalsInput {
  readonly config: RetrievalOptions
  readonly env: NodeJS.ProcessEnv
  /** The default is the clock of the system. */
  readonly clock?: Clock
  /** Receives progress lines of a long embedding. */
  readonly tell?: (line: string) => void
}

/** Opens the run's retrievers, which share one vector store. */
export async function openRetrievals(
  { config, env, tell, clock = systemClock }: RetrievalsInput,
  cache: string,
): Promise<Retrievals> {
  const { createRetrievals } = await import('../../../retrieval/retrieval.ts')
  return await createRetrievals(config.retriever, {
    embedder: config.embedder,
    vectorStore: config.vectorStore,
    chromaUrl: config.chroma,
    cacheFolder: cache,
    environment: env,
    clock,
    ...(tell === undefined ? {} : { progress: everySoOften(tell, clock.now) }),
  })
}

/** A long embedding reports each batch; one line every ten seconds is enough. */
const progressEveryMs = 10_000

function everySoOften(tell: (line: string) => void, now: () => number): (line: string) => void {
  let toldAt = now()
  return line => {
    if (now() - toldAt < progressEveryMs) return
    toldAt = now()
    tell(line)
  }
}
