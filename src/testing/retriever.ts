import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRetrievals, type Retrieval } from '../../retrieval/retrieval.ts'
import type { RelevanceModel } from '../../retrieval/retrievers/retriever.ts'
import { tokenize } from '../../retrieval/tokenize.ts'
import type { ContextDocument } from '../core/document.ts'
import { seededRandom } from '../core/runtime.ts'
import type { Question } from '../core/task.ts'
import { sha256 } from '../system/hash.ts'
import type { Check } from './contract.ts'

/**
 * What a retriever is tested with. A retriever that asks no model is tested with `{}`.
 *
 * @example
 * import type { RetrieverSample } from 'tablehunt/testing'
 *
 * const shortestFirst: RetrieverSample = { relevance: async (_query, texts) => texts.map(text => -text.length) }
 */
export interface RetrieverSample {
  /**
   * Rates the relevance of texts. By default, a text is more relevant the more words it shares with the
   * query.
   */
  readonly relevance?: RelevanceModel
}

/** Returns the checks that every retriever must pass. */
export function retrieverContract(name: string, sample: RetrieverSample = {}): readonly Check[] {
  const { relevance = sharedWords } = sample
  const using = (use: (retrieval: Retrieval) => Promise<void>) => async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), 'tablehunt-retriever-'))
    const options = { embedder: 'hash', vectorStore: 'exact', chromaUrl: null, cacheFolder, environment: {} }
    const retrievals = await createRetrievals([name], options)
    try {
      await use(retrievals.get(name))
    } finally {
      await retrievals.close()
      await rm(cacheFolder, { recursive: true, force: true })
    }
  }
  return [
    {
      name: 'chooses chunks of the documents, each once, at most k, the same every time',
      run: using(retrieval => checkChunks(retrieval, relevance)),
    },
    {
      name: 'returns as many chunks as requested, and begins a larger result with the smaller one',
      run: using(retrieval => checkDepths(retrieval, relevance)),
    },
    {
      name: 'chooses nothing from documents without text',
      run: using(async ({ retrieve }) => {
        const empty = [buildDocument('a', ''), buildDocument('b', ' \n')]
        deepEqual((await retrieve(question, empty, signal, { relevance })).chunks, [])
      }),
    },
    {
      name: 'has the chunk that answers a Chinese query among the first three',
      run: using(async ({ retrieve }) => {
        const chineseQuestion = { ...question, query: '营业收入是多少' }
        const { chunks } = await retrieve(chineseQuestion, [haystack], signal, { relevance })
        const at = chunks.findIndex(chunk => chunk.text.includes(needle))
        ok(
          at >= 0 && at < 3,
          at < 0 ? 'the chunk was not returned' : `the chunk has rank ${at + 1}, at most 3 is expected`,
        )
      }),
    },
  ]
}

const { signal } = new AbortController()

async function checkChunks({ retrieve }: Retrieval, relevance: RelevanceModel): Promise<void> {
  const first = await retrieve(question, documents, signal, { relevance })
  deepEqual(await retrieve(question, documents, signal, { relevance }), first)
  const count = first.chunks.length
  ok(count > 0 && count <= first.k, `${count} of ${first.k} chunks`)
  const ids = first.chunks.map(chunk => chunk.id)
  deepEqual(ids, [...new Set(ids)])
  for (const { hint, id, text, start, end } of first.chunks) {
    const document = documents.find(candidate => candidate.hint === hint)
    ok(document !== undefined && text.endsWith(document.text.slice(start, end)), `${id} is not in ${hint}`)
  }
}

async function checkDepths({ retrieve }: Retrieval, relevance: RelevanceModel): Promise<void> {
  const rankings: string[][] = []
  for (const depth of [120, 250, 400]) {
    const { chunks, k } = await retrieve(question, documents, signal, { depth, relevance })
    equal(k, depth)
    ok(chunks.length >= 120 && chunks.length <= depth, `${chunks.length} chunks at depth ${depth}`)
    rankings.push(chunks.map(chunk => `${chunk.hint} ${chunk.id}`))
  }
  for (const [at, deeper] of rankings.slice(1).entries())
    deepEqual(deeper.slice(0, rankings[at]!.length), rankings[at])
}

const sharedWords: RelevanceModel = async (query, texts) =>
  texts.map(text => tokenize(query).filter(word => text.toLowerCase().includes(word)).length)

const question: Question = {
  taskId: 't',
  benchmark: 'contract',
  domain: 'financial',
  language: 'en',
  query: 'total revenue and net income of the company',
  documentNames: [],
  form: { kind: 'table' },
}

const needle = '本期营业收入为九千八百七十六万元'

function buildDocument(hint: string, text: string): ContextDocument {
  return { hint, sha256: sha256(text), text, problem: null }
}

/** Returns sentences of made-up words, equal for equal seeds. */
function prose(seed: number, sentences: number): string {
  const random = seededRandom(seed)
  const word = () => `w${Math.floor(random() ** 2 * 900).toString(36)}`
  const sentence = () =>
    `${Array.from({ length: 12 }, word).join(' ')} revenue ${Math.floor(random() * 1e6)}.`
  return Array.from({ length: sentences }, sentence).join('\n')
}

const documents = [
  buildDocument('long.pdf', prose(1, 900)),
  buildDocument('empty.pdf', ''),
  buildDocument('middle.pdf', prose(2, 200)),
  buildDocument('中文.pdf', '本公司营业收入为5,048元，净利润增长百分之十。'.repeat(60)),
  buildDocument('short.pdf', 'Total revenue 5,048.4 and net income 963.2 of the company'),
]

const haystack = buildDocument(
  '年报.pdf',
  `${'公司治理结构完善，董事会勤勉尽责。\n'.repeat(80)}${needle}\n${'风险因素包括市场波动与政策变化。\n'.repeat(80)}`,
)
