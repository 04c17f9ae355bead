import { type Bench, type Measurement, rounded } from './figure.ts'
import { benchDocuments } from './parts/environment.ts'
import { measureStores, type StoresCost } from './parts/measure-stores.ts'
import { repeat, withTemporaryFolder } from './parts/process.ts'
import type { PythonChromaCost } from './parts/python-chroma.ts'
import { median } from './parts/statistics.ts'

/** Dimensions of vectors that are written without embedding, and the target in chunks per second. */
const written = new Map([
  [256, 2_200],
  [1_024, 1_500],
])
const writtenFigure = (dimensions: number): string => `chroma-chunks-per-second-${dimensions}`

/** Recorded: LangChain with Chroma in Python, and an embedder without cost. */
const recorded = { chunksPerSecond: { 256: 2_200 }, recallMean: 0.987, recallWorst: 0.86, p50Ms: 5 }
const pythonHint = 'to measure it here, name a Python with chromadb and numpy in TABLEHUNT_BENCH_PYTHON'

/** Indexing and search of real chunks with the embedder `hash`: a Chroma server compared with exact search of the same vectors. */
export const retrieval: Bench = {
  summary: 'chunks indexed per second, and Chroma compared with exact search of the same vectors, at k = 250',
  read: 'All ratios are relative to exact search in the same run. It shows what an approximate index costs and what it misses on these documents. The setting `rag` compares every chunk by default.',
  notes: [
    "Python's Chroma receives the same vectors and stores no texts. Each task has one collection there, and each document has one here. Both are queried once before the time to write ends.",
    'A document with at most k chunks needs no request to Chroma. Recall on documents of similar texts is lower (docs/decisions/0022).',
  ],
  figures: {
    'index-chunks-per-second': { unit: 'chunks / s' },
    ...Object.fromEntries(
      [...written].map(([dimensions, atLeast]) => [
        writtenFigure(dimensions),
        { unit: 'chunks / s', target: { atLeast } },
      ]),
    ),
    'chroma-open-again-ms': { unit: 'ms' },
    'chroma-recall-at-250': { unit: 'share', target: { atLeast: 0.99 } },
    'chroma-recall-at-250-worst': { unit: 'share', target: { atLeast: 0.95 } },
    'chroma-query-p50-ms': { unit: 'ms', target: { atMost: 5 } },
    'chroma-query-p95-ms': { unit: 'ms', target: { atMost: 10 } },
  },
  async run() {
    const dimensions = [...written.keys()]
    const costs = await withTemporaryFolder(textsFolder =>
      repeat(3, () =>
        withTemporaryFolder(cacheFolder => measureStores({ textsFolder, cacheFolder, dimensions })),
      ),
    )
    return { ...compareIndexing(costs), ...compareQueries(costs) }
  },
}

/** Says what Python's Chroma reached: in the same run, by default as the median, or as recorded. */
function describePeer(
  costs: readonly StoresCost[],
  read: (cost: PythonChromaCost) => number,
  recordedValue?: number,
  summarise = median,
): string {
  const peers = costs.flatMap(({ python }) => python ?? [])
  if (peers.length > 0)
    return `Python's Chroma ${peers[0]!.chroma}, measured in the same run: ${rounded(summarise(peers.map(read)))}`
  return recordedValue === undefined
    ? pythonHint
    : `recorded: Python's Chroma ${recordedValue}; ${pythonHint}`
}

function compareIndexing(costs: readonly StoresCost[]): Record<string, Measurement> {
  const middle = (read: (cost: StoresCost) => number): number => median(costs.map(read))
  const chunks = middle(cost => cost.chunks)
  const perSecond = (ms: number): number => (chunks / ms) * 1_000
  const [firstMs, againMs] = [middle(cost => cost.chroma.indexMs), middle(cost => cost.openAgainMs)]
  const exactMs = middle(cost => cost.exact.indexMs)
  const writing = [...written].map(([dimensions, target], at): [string, Measurement] => {
    const value = perSecond(middle(cost => cost.writeMs[at]!))
    const recordedSpeed = new Map(Object.entries(recorded.chunksPerSecond)).get(String(dimensions))
    const peer = describePeer(costs, cost => cost.writtenPerSecond[at]!, recordedSpeed)
    const against = `random vectors, without embedding; ${peer}`
    return [writtenFigure(dimensions), { value, against, ratio: value / target }]
  })
  return {
    'index-chunks-per-second': {
      value: perSecond(firstMs),
      against: `exact search (embedding only): ${rounded(perSecond(exactMs))}; ${chunks} chunks, ${benchDocuments().name}`,
      ratio: exactMs / firstMs,
    },
    ...Object.fromEntries(writing),
    'chroma-open-again-ms': {
      value: againMs,
      against: `indexing: ${rounded(firstMs)} ms; one query of every document after a restart of the server`,
      ratio: againMs / firstMs,
    },
  }
}

function compareQueries(costs: readonly StoresCost[]): Record<string, Measurement> {
  const least = (values: readonly number[]): number => Math.min(...values)
  const recallMean = median(costs.map(cost => cost.recallMean))
  const recallWorst = least(costs.map(cost => cost.recallWorst))
  const meanPeer = describePeer(costs, cost => cost.recallMean, recorded.recallMean)
  const worstPeer = describePeer(costs, cost => cost.recallWorst, recorded.recallWorst, least)
  const compareTimes = (quantile: 'p50Ms' | 'p95Ms', recordedMs?: number): Measurement => {
    const value = median(costs.map(cost => cost.chroma[quantile]))
    const exactMs = median(costs.map(cost => cost.exact[quantile]))
    const peer = describePeer(costs, cost => cost[quantile], recordedMs)
    const against = `exact search: ${rounded(exactMs)} ms; one query over all documents of a task; ${peer}`
    return { value, against, ratio: value / exactMs }
  }
  return {
    'chroma-recall-at-250': {
      value: recallMean,
      against: `exact search, ${costs[0]!.queries} queries; ${meanPeer}`,
      ratio: recallMean,
    },
    'chroma-recall-at-250-worst': {
      value: recallWorst,
      against: `exact search, worst query of all repetitions; ${worstPeer}`,
      ratio: recallWorst,
    },
    'chroma-query-p50-ms': compareTimes('p50Ms', recorded.p50Ms),
    'chroma-query-p95-ms': compareTimes('p95Ms'),
  }
}
