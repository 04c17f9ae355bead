import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Embedder } from '../../retrieval/embeddings/embedder.ts'
import { findEmbedder } from '../../retrieval/registry.ts'
import type { Check } from './contract.ts'
import { instantClock } from './web.ts'

/**
 * A model that an embedder is tested with.
 *
 * @example
 * import type { EmbedderSample } from 'tablehunt/testing'
 *
 * const lengths: EmbedderSample = { embedder: 'lengths' }
 */
export interface EmbedderSample {
  /** As `--embedder` takes it: KIND, KIND:NAME or KIND:NAME@URL. */
  readonly embedder: string
  /** Environment variables that the embedder reads, such as a key. Absent: none. */
  readonly environment?: Readonly<Record<string, string>>
}

const texts = ['total revenue', '营业收入', 'a', 'naïve 🏊 text', 'x'.repeat(5_000)]

/** Returns the checks that every embedder must pass. */
export function embedderContract(name: string, sample: EmbedderSample): readonly Check[] {
  const { signal } = new AbortController()
  const open = async (): Promise<Embedder> => {
    const { entry, ...named } = findEmbedder(sample.embedder)
    return await entry.load({ ...named, environment: sample.environment ?? {}, clock: instantClock })
  }
  return [
    {
      name: 'returns a vector of length 1 for each chunk and query, all of one dimension',
      async run() {
        const embedder = await open()
        const vectors = await embedder.embedChunks(texts, signal)
        equal(vectors.length, texts.length)
        for (const vector of [...vectors, await embedder.embedQuery(texts[0]!, signal)]) {
          equal(vector.length, vectors[0]!.length)
          const squares = vector.reduce((sum, value) => sum + value * value, 0)
          ok(Math.abs(squares - 1) < 1e-5, `a vector's length is ${Math.sqrt(squares)}`)
        }
      },
    },
    {
      name: 'returns the same vector for a text every time, whichever texts are embedded with it',
      async run() {
        const embedder = await open()
        const together = await embedder.embedChunks(texts, signal)
        for (const [at, text] of texts.entries())
          deepEqual((await embedder.embedChunks([text], signal))[0], together[at])
      },
    },
    {
      name: 'has a name without the address of its server',
      async run() {
        const embedder = await open()
        ok(embedder.name.startsWith(name), `${embedder.name} does not begin with ${name}`)
        ok(!embedder.name.includes('://'), `${embedder.name} contains an address`)
      },
    },
  ]
}
