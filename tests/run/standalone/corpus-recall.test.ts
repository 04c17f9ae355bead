import { expect, it } from 'vitest'
import type { Task } from '../../../src/core/task.ts'
import { recallOf } from '../../../src/run/standalone/corpus-recall.ts'
import type { Corpus, CorpusRanker } from '../../../tools/web/corpus.ts'

/** A corpus of documents with the ids 0 to 199 that ranks them as given, by query. */
function corpusOf(rankings: Readonly<Record<string, readonly number[]>>): Corpus {
  const bm25: CorpusRanker = (query, limit) => Promise.resolve(rankings[query]!.slice(0, limit))
  const items = Array.from({ length: 200 }, (_, at) => ({ entry: { name: String(at) } }))
  return { seed: 0, hash: '', items, rankers: { bm25 } } as unknown as Corpus
}

const taskOf = (query: string, relevance: Readonly<Record<string, number>>): Task =>
  ({
    question: { query },
    evidence: {
      kind: 'judgements',
      judgements: Object.entries(relevance).map(([documentId, value]) => ({ documentId, relevance: value })),
    },
  }) as unknown as Task

it('measures recall and nDCG of evidence and of gold documents', async () => {
  const others = Array.from({ length: 150 }, (_, at) => at + 40)
  const corpus = corpusOf({ one: [7, 8, 1, 9, 10, 11, 2, ...others], two: [3] })
  const tasks = [taskOf('one', { 1: 2, 2: 1, 189: 1, missing: 1 }), taskOf('two', { 3: 1, 5: 0 })]
  const { rows, missing } = await recallOf(corpus, tasks)
  const [evidence, gold] = rows
  expect(missing).toBe(1)
  expect(evidence).toMatchObject({ search: 'bm25', relevance: 1, questions: 2 })
  // Of the four documents of the first question one is among 5 results, two among 100, three among 1,000.
  expect(evidence!.recall).toEqual({ 5: (1 / 4 + 1) / 2, 100: (2 / 4 + 1) / 2, 1000: (3 / 4 + 1) / 2 })
  const ideal = 1 + 1 / Math.log2(3) + 1 / 2 + 1 / Math.log2(5)
  expect(evidence!.ndcg).toBeCloseTo(((1 / 2 + 1 / 3) / ideal + 1) / 2, 12)
  expect(gold).toMatchObject({ relevance: 2, questions: 1, recall: { 5: 1, 100: 1, 1000: 1 }, ndcg: 1 / 2 })
})

it('needs judgements', async () => {
  await expect(recallOf(corpusOf({}), [])).rejects.toMatchObject({ code: 'no-judgements' })
})
