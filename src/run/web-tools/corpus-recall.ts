import type { sealedSearches } from '../../../tools/search/registry.ts'
import type { Corpus } from '../../../tools/web/corpus.ts'
import { openRankers } from '../../../tools/web/corpus-search.ts'
import { ConfigError } from '../../core/errors.ts'
import { makeTable, type Table } from '../../core/table.ts'
import type { Task } from '../../core/task.ts'
import { readWebMap } from '../../evidence/web-map.ts'
import { writeAddressKey } from '../../text/canonical-url.ts'

/** How well one search ranks the judged documents of the questions. */
export interface SearchRecall {
  readonly search: keyof typeof sealedSearches
  /** The lowest relevance that counts: 1 for evidence, 2 for gold documents. */
  readonly relevance: number
  /** The number of questions with such documents. */
  readonly questions: number
  /** The mean share of these documents among the first results, by the number of results. */
  readonly recall: Readonly<Record<(typeof recallDepths)[number], number>>
  /** The mean nDCG of the first ten results, where every such document counts 1. */
  readonly ndcg: number
}

/** What `web recall` measures. */
export interface CorpusRecall {
  readonly rows: readonly SearchRecall[]
  /** How many judged documents the corpus lacks. They count as not found. */
  readonly missing: number
}

/** The numbers of results at which recall is measured. */
export const recallDepths = [5, 100, 1_000] as const

const ndcgDepth = 10

/**
 * Searches a corpus with each question as the query, by every search that it has, and compares the results with the relevance
 * judgements.
 *
 * @throws ConfigError `no-judgements` when no task has any
 */
export async function measureRecall(corpus: Corpus, tasks: readonly Task[]): Promise<CorpusRecall> {
  const questions = tasks.flatMap(({ question, evidence }) =>
    evidence?.kind === 'judgements' ? [{ query: question.query, judgements: evidence.judgements }] : [],
  )
  if (questions.length === 0)
    throw new ConfigError('no task has relevance judgements. Put the files of judgements beside the tasks.', {
      code: 'no-judgements',
    })
  const placeOf = makePlaceFinder(corpus)
  const rankers = await openRankers(corpus)
  const rows: SearchRecall[] = []
  for (const search of ['bm25', 'dense'] as const) {
    const rank = rankers[search]
    if (rank === undefined) continue
    const rankings: number[][] = []
    for (const { query } of questions) rankings.push(await rank(query, Math.max(...recallDepths)))
    for (const relevance of [1, 2]) {
      const judged = questions.map(({ judgements }, at) => ({
        ranking: rankings[at]!,
        relevant: judgements
          .filter(judgement => judgement.relevance >= relevance)
          .map(({ documentId }) => placeOf(documentId)),
      }))
      rows.push({
        search,
        relevance,
        ...averageRecall(judged.filter(({ relevant }) => relevant.length > 0)),
      })
    }
  }
  const ids = new Set(questions.flatMap(({ judgements }) => judgements.map(({ documentId }) => documentId)))
  return {
    rows: rows.filter(row => row.questions > 0),
    missing: [...ids].filter(id => placeOf(id) === null).length,
  }
}

/** Returns a function that finds a document by its id, as discovery does. */
function makePlaceFinder({ items }: Corpus): (id: string) => number | null {
  const entries = items.map(({ entry }) => entry)
  const web = readWebMap(entries)
  const places = new Map(entries.map(({ url }, place) => [writeAddressKey(url), place]))
  return id => {
    const [address] = web.documentNamed(id).addresses
    return address === undefined ? null : (places.get(address) ?? null)
  }
}

interface Judged {
  readonly ranking: readonly number[]
  /** The places of the relevant documents in the corpus; null for one that it lacks. */
  readonly relevant: readonly (number | null)[]
}

function averageRecall(judged: readonly Judged[]): Omit<SearchRecall, 'search' | 'relevance'> {
  const mean = (measure: (question: Judged) => number): number =>
    judged.reduce((sum, question) => sum + measure(question), 0) / judged.length
  const recall = Object.fromEntries(
    recallDepths.map(depth => [depth, mean(question => computeRecall(question, depth))]),
  ) as SearchRecall['recall']
  return { questions: judged.length, recall, ndcg: mean(computeNdcg) }
}

function computeRecall({ ranking, relevant }: Judged, depth: number): number {
  const first = new Set<number | null>(ranking.slice(0, depth))
  return relevant.filter(place => place !== null && first.has(place)).length / relevant.length
}

function computeNdcg({ ranking, relevant }: Judged): number {
  const relevantPlaces = new Set(relevant)
  const gain = (rank: number): number => 1 / Math.log2(rank + 2)
  const sum = (ranks: readonly number[]): number => ranks.reduce((total, rank) => total + gain(rank), 0)
  const foundRanks = [...ranking.slice(0, ndcgDepth).keys()].filter(rank =>
    relevantPlaces.has(ranking[rank]!),
  )
  return sum(foundRanks) / sum([...Array(Math.min(ndcgDepth, relevant.length)).keys()])
}

const documentNames: Readonly<Record<number, string>> = { 1: 'evidence', 2: 'gold' }

/** Makes the table of `web recall`. */
export function makeRecallTable(
  { rows, missing }: CorpusRecall,
  { skippedTasks }: { readonly skippedTasks: number },
): Table {
  return makeTable({
    title: 'Judged documents found by searching with each question',
    rows,
    columns: column => [
      column('search', 'text', row => row.search),
      column('documents', 'text', ({ relevance }) => documentNames[relevance] ?? String(relevance)),
      column('questions', 'count', row => row.questions),
      ...recallDepths.map(depth => column(`recall@${depth}`, 'share', ({ recall }) => recall[depth])),
      column('nDCG@10', 'share', row => row.ndcg),
    ],
    remarks: [
      'Means over the questions, in percent. Evidence has a relevance of at least 1, gold of 2.',
      ...(skippedTasks === 0
        ? []
        : [`${skippedTasks} records are left out: tablehunt tasks check says why.`]),
      ...(missing === 0
        ? []
        : [`${missing} judged documents are not in the corpus. They count as not found.`]),
    ],
  })
}
