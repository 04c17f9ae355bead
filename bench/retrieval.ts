import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, Figure } from './figure.ts'
import { benchDocuments } from './parts/documents.ts'
import { runModule } from './parts/process.ts'
import { benchPython, measurePythonChroma, type PythonChromaCost, pythonHint } from './parts/python-chroma.ts'
import { recorded } from './parts/recorded.ts'
import type { RetrievalCost, RetrievalInput } from './parts/run-retrieval.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 3

/** Indexing and search of real chunks with the embedder `hash`: a Chroma server compared with exact search of the same vectors. */
export const retrieval: Bench = {
  summary: 'chunks indexed per second, and Chroma compared with exact search of the same vectors, at k = 250',
  read: 'All ratios are relative to exact search in the same run.',
  why: 'Scores should not depend on the vector store, and the setting `rag` should start and search quickly.',
  notes: [
    "Python's Chroma receives the same vectors and stores no texts. Each task has one collection there, and each document has one here.",
    'A document with at most k chunks needs no request to Chroma.',
  ],
  figures: [
    'index-chunks-per-second',
    'chroma-recall-at-250',
    'chroma-recall-at-250-worst',
    'chroma-query-p50-ms',
    'chroma-query-p95-ms',
  ],
  targets: {
    'chroma-recall-at-250': { atLeast: 0.99 },
    'chroma-recall-at-250-worst': { atLeast: 0.95 },
  },
  run: () => withTemporaryFolder(measure),
}

async function measure(textsFolder: string): Promise<Figure[]> {
  const documents = benchDocuments()
  const python = benchPython()
  const costs: RetrievalCost[] = []
  const peers: PythonChromaCost[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    await withTemporaryFolder(async cacheFolder => {
      const vectorsFolder = python === null ? null : await mkdtemp(join(cacheFolder, 'vectors-'))
      const input: RetrievalInput = { ...documents, textsFolder, cacheFolder, vectorsFolder }
      costs.push(await runModule<RetrievalCost>('parts/run-retrieval.js', input))
      if (python !== null && vectorsFolder !== null)
        peers.push(await measurePythonChroma(python, vectorsFolder))
    })
  }
  return figuresOf(costs, peers, documents.name)
}

/** Says what Python's Chroma reached: in the same run, by default as the median, or as recorded. */
function peerText(
  peers: readonly PythonChromaCost[],
  read: (cost: PythonChromaCost) => number,
  recordedValue: number | null,
  summarise = median,
): string {
  const [first] = peers
  if (first === undefined)
    return recordedValue === null ? pythonHint : `recorded: Python's Chroma ${recordedValue}; ${pythonHint}`
  const value = summarise(peers.map(read))
  return `Python's Chroma ${first.chroma}, measured in the same run: ${rounded(value, value < 10 ? 4 : 0)}`
}

function figuresOf(
  costs: readonly RetrievalCost[],
  peers: readonly PythonChromaCost[],
  documents: string,
): Figure[] {
  const middle = (read: (cost: RetrievalCost) => number): number => median(costs.map(read))
  const [chunks, queries] = [costs[0]?.chunks ?? 0, costs[0]?.queries ?? 0]
  const speed = middle(cost => (cost.chunks / cost.chroma.indexMs) * 1_000)
  const exactSpeed = middle(cost => (cost.chunks / cost.exact.indexMs) * 1_000)
  const recall = middle(cost => cost.recallMean)
  const worst = Math.min(...costs.map(cost => cost.recallWorst))
  const query = (name: string, share: 'p50Ms' | 'p95Ms', recordedMs: number | null): Figure => {
    const [ours, exact] = [middle(cost => cost.chroma[share]), middle(cost => cost.exact[share])]
    const peer = peerText(peers, cost => cost[share], recordedMs)
    const against = `exact search: ${rounded(exact, 1)} ms; one query over all documents of a task; ${peer}`
    return { figure: name, value: rounded(ours, 1), unit: 'ms', against, ratio: rounded(ours / exact, 2) }
  }
  return [
    {
      figure: 'index-chunks-per-second',
      value: rounded(speed, 0),
      unit: 'chunks / s',
      against: `exact search (embedding only): ${rounded(exactSpeed, 0)}; without embedding, ${peerText(peers, cost => cost.chunksPerSecond, recorded.pythonChunksPerSecond)}; ${chunks} chunks, ${documents}`,
      ratio: rounded(speed / exactSpeed, 3),
    },
    {
      figure: 'chroma-recall-at-250',
      value: rounded(recall, 4),
      unit: 'share',
      against: `exact search, ${queries} queries; ${peerText(peers, cost => cost.recallMean, recorded.pythonRecallMean)}`,
      ratio: rounded(recall, 4),
    },
    {
      figure: 'chroma-recall-at-250-worst',
      value: rounded(worst, 4),
      unit: 'share',
      against: `exact search, worst query of all repetitions; ${peerText(
        peers,
        cost => cost.recallWorst,
        recorded.pythonRecallWorst,
        values => Math.min(...values),
      )}`,
      ratio: rounded(worst, 4),
    },
    query('chroma-query-p50-ms', 'p50Ms', recorded.pythonQueryP50Ms),
    query('chroma-query-p95-ms', 'p95Ms', null),
  ]
}
