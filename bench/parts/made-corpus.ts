import { type Random, seededRandom } from '../../src/core/runtime.ts'
import type { SourceDocument } from '../../tools/web/corpus-build.ts'
import { buildCorpus } from '../../tools/web/corpus-build.ts'
import { type SealedWeb, serveCorpus } from '../../tools/web/sealed.ts'

const [vocabulary, seed] = [20_000, 20_261_121]
export const wordsADocument = 300

/** Serves a sealed web of generated documents, with its index in memory. */
export async function serveMadeCorpus(documents: number): Promise<SealedWeb> {
  return await serveCorpus(await buildCorpus({ documents: made(documents), embedded: [], twins: 0, seed }))
}

/** Draws a word. As in real text, the n-th most common word has a frequency of about 1 / n. */
export function madeWord(random: Random): string {
  return `word${Math.floor(vocabulary ** random())}`
}

function made(documents: number): SourceDocument[] {
  const random = seededRandom(seed)
  return Array.from({ length: documents }, (_, index) => {
    const words = Array.from({ length: wordsADocument }, () => madeWord(random))
    const text = `Report ${index} on ${words.slice(0, 4).join(' ')}\n\n${words.join(' ')}\n`
    return { name: `report-${index}.txt`, source: { bytes: Buffer.from(text) }, text }
  })
}
