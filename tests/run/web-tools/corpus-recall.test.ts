import { expect, it } from 'vitest'
import { ProviderError } from '../../../src/core/errors.ts'
import type { Task } from '../../../src/core/task.ts'
import { makeRecallTable, measureRecall } from '../../../src/run/web-tools/corpus-recall.ts'
import { nameEmbedder } from '../../../src/run/web-tools/naming-embedder.ts'
import type { Corpus, CorpusRanker } from '../../../tools/web/corpus.ts'

/** A corpus of documents with the ids 0 to 199 that ranks them as given, by query. */
function corpusOf(rankings: Readonly<Record<string, readonly number[]>>): Corpus {
  const bm25: CorpusRanker = (query, limit) => Promise.resolve(rankings[query]!.slice(0, limit))
  const items = Array.from({ length: 200 }, (_, at) => ({
    entry: { name: String(at), url: `https://a.example/${at}`, landingUrl: null, twinOf: null },
  }))
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
  const { rows, missing } = await measureRecall(corpus, tasks)
  const [evidence, gold] = rows
  expect(missing).toBe(1)
  expect(evidence).toMatchObject({ search: 'bm25', relevance: 1, questions: 2 })
  // Of the four documents of the first question one is among 5 results, two among 100, three among 1,000.
  expect(evidence!.recall).toEqual({ 5: (1 / 4 + 1) / 2, 100: (2 / 4 + 1) / 2, 1000: (3 / 4 + 1) / 2 })
  const ideal = 1 + 1 / Math.log2(3) + 1 / 2 + 1 / Math.log2(5)
  expect(evidence!.ndcg).toBeCloseTo(((1 / 2 + 1 / 3) / ideal + 1) / 2, 12)
  expect(gold).toMatchObject({ relevance: 2, questions: 1, recall: { 5: 1, 100: 1, 1000: 1 }, ndcg: 1 / 2 })
})

it('searches a corpus of a folder by words, and finds its documents without their extensions', async () => {
  const itemOf = (name: string, text: string) => ({
    entry: { name, title: name, url: `https://a.example/${name}`, landingUrl: null, twinOf: null },
    text: () => Promise.resolve(text),
  })
  const items = [itemOf('12.txt', 'prices of tickets'), itemOf('11.txt', 'ferry to Orvald')]
  const corpus = { seed: 0, hash: '', items } as unknown as Corpus
  const { rows, missing } = await measureRecall(corpus, [taskOf('ferry', { 11: 1 })])
  expect(missing).toBe(0)
  expect(rows).toMatchObject([{ search: 'bm25', questions: 1, recall: { 5: 1 }, ndcg: 1 }])
})

it('says in its table how many records were left out', () => {
  const found = { rows: [], missing: 2 }
  expect(makeRecallTable(found, { skippedTasks: 3 }).remarks.slice(1)).toEqual([
    '3 records are left out: tablehunt tasks check says why.',
    '2 judged documents are not in the corpus. They count as not found.',
  ])
})

it('names an embedder that fails', async () => {
  const down = new ProviderError('unavailable', 'openai:m cannot be reached', { retryable: true })
  await expect(nameEmbedder(() => Promise.reject(down))).rejects.toMatchObject({
    code: 'embedder-failed',
    message: expect.stringContaining('openai:m cannot be reached'),
  })
  await expect(nameEmbedder(() => Promise.reject(new Error('other')))).rejects.toThrow('other')
})

it('needs judgements', async () => {
  await expect(measureRecall(corpusOf({}), [])).rejects.toMatchObject({ code: 'no-judgements' })
})
