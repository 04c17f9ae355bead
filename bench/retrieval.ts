import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, BenchFigure } from './figure.ts'
import { benchDocuments } from './parts/documents.ts'
import { runModule } from './parts/process.ts'
import { benchPython, measurePythonChroma, type PythonChromaCost, pythonHint } from './parts/python-chroma.ts'
import { recorded } from './parts/recorded.ts'
import type { RetrievalCost, RetrievalInput } from './parts/run-retrieval.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 3
/** Dimensions of vectors that are written without embedding, and the target in chunks per second. */
const written = [
  [256, 2_200],
  [1_024, 1_500],
] as const

/** Indexing and search of real chunks with the embedder `hash`: a Chroma server compared with exact search of the same vectors. */
export const retrieval: Bench = {
  summary: 'chunks indexed per second, and Chroma compared with exact search of the same vectors, at k = 250',
  read: 'All ratios are relative to exact search in the same run.',
  why: 'It shows what an approximate index costs and what it misses on these documents. The setting `rag` compares every chunk by default.',
  notes: [
    "Python's Chroma receives the same vectors and stores no texts. Each task has one collection there, and each document has one here. Both are queried once before the time to write ends.",
    'A document with at most k chunks needs no request to Chroma. Recall on documents of similar texts is lower (docs/decisions/0022).',
  ],
  figures: [
    'index-chunks-per-second',
    ...written.map(([dimensions]) => writtenFigure(dimensions)),
    'chroma-open-again-ms',
    'chroma-recall-at-250',
    'chroma-recall-at-250-worst',
    'chroma-query-p50-ms',
    'chroma-query-p95-ms',
  ],
  targets: {
    ...Object.fromEntries(
      written.map(([dimensions, target]) => [writtenFigure(dimensions), { atLeast: target }]),
    ),
    'chroma-recall-at-250': { atLeast: 0.99 },
    'chroma-recall-at-250-worst': { atLeast: 0.95 },
    'chroma-query-p50-ms': { atMost: 5 },
    'chroma-query-p95-ms': { atMost: 10 },
  },
  run: () => withTemporaryFolder(measure),
}

async function measure(textsFolder: string): Promise<BenchFigure[]> {
  const documents = benchDocuments()
  const python = benchPython()
  const dimensions = written.map(([size]) => size)
  const costs: RetrievalCost[] = []
  const peers: PythonChromaCost[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    await withTemporaryFolder(async cacheFolder => {
      const vectorsFolder = python === null ? null : await mkdtemp(join(cacheFolder, 'vectors-'))
      const input: RetrievalInput = { ...documents, textsFolder, cacheFolder, vectorsFolder, dimensions }
      costs.push(await runModule<RetrievalCost>('parts/run-retrieval.js', input))
      if (python !== null && vectorsFolder !== null)
        peers.push(await measurePythonChroma(python, vectorsFolder))
    })
  }
  return writeFigures(costs, peers, documents.name)
}

function writtenFigure(dimensions: number): string {
  return `chroma-chunks-per-second-${dimensions}`
}

/** Says what Python's Chroma reached: in the same run, by default as the median, or as recorded. */
function peerText(
  peers: readonly PythonChromaCost[],
  readCost: (cost: PythonChromaCost) => number,
  recordedValue: number | null,
  summarise = median,
): string {
  const [first] = peers
  if (first === undefined)
    return recordedValue === null ? pythonHint : `recorded: Python's Chroma ${recordedValue}; ${pythonHint}`
  const value = summarise(peers.map(readCost))
  return `Python's Chroma ${first.chroma}, measured in the same run: ${rounded(value, value < 10 ? 4 : 0)}`
}

/** Returns the median over the repetitions. */
type Middle = (readCost: (cost: RetrievalCost) => number) => number

function writeFigures(
  costs: readonly RetrievalCost[],
  peers: readonly PythonChromaCost[],
  documents: string,
): BenchFigure[] {
  const middle: Middle = readCost => median(costs.map(readCost))
  return [
    ...indexFigures(middle, peers, `${costs[0]?.chunks ?? 0} chunks, ${documents}`),
    ...recallFigures(costs, peers),
    queryFigure(
      'chroma-query-p50-ms',
      middle,
      'p50Ms',
      peerText(peers, cost => cost.p50Ms, recorded.pythonQueryP50Ms),
    ),
    queryFigure(
      'chroma-query-p95-ms',
      middle,
      'p95Ms',
      peerText(peers, cost => cost.p95Ms, null),
    ),
  ]
}

function indexFigures(middle: Middle, peers: readonly PythonChromaCost[], documents: string): BenchFigure[] {
  const chunks = middle(cost => cost.chunks)
  const perSecond = (ms: number): number => (chunks / ms) * 1_000
  const speed = perSecond(middle(cost => cost.chroma.indexMs))
  const exactSpeed = perSecond(middle(cost => cost.exact.indexMs))
  const [firstMs, againMs] = [middle(cost => cost.chroma.indexMs), middle(cost => cost.openAgainMs)]
  return [
    {
      figure: 'index-chunks-per-second',
      value: rounded(speed, 0),
      unit: 'chunks / s',
      against: `exact search (embedding only): ${rounded(exactSpeed, 0)}; ${documents}`,
      ratio: rounded(speed / exactSpeed, 3),
    },
    ...written.map(([dimensions, target], at) => {
      const value = rounded(perSecond(middle(cost => cost.writeMs[at] ?? Number.NaN)), 0)
      const recordedSpeed = recorded.pythonChunksPerSecond.get(dimensions) ?? null
      const peer = peerText(peers, cost => cost.writtenPerSecond[at] ?? Number.NaN, recordedSpeed)
      const against = `random vectors, without embedding; ${peer}`
      const ratio = rounded(value / target, 2)
      return { figure: writtenFigure(dimensions), value, unit: 'chunks / s', against, ratio }
    }),
    {
      figure: 'chroma-open-again-ms',
      value: rounded(againMs, 0),
      unit: 'ms',
      against: `indexing: ${rounded(firstMs, 0)} ms; one query of every document after a restart of the server`,
      ratio: rounded(againMs / firstMs, 3),
    },
  ]
}

function recallFigures(costs: readonly RetrievalCost[], peers: readonly PythonChromaCost[]): BenchFigure[] {
  const mean = rounded(median(costs.map(cost => cost.recallMean)), 4)
  const worst = rounded(Math.min(...costs.map(cost => cost.recallWorst)), 4)
  const queries = costs[0]?.queries ?? 0
  const meanPeer = peerText(peers, cost => cost.recallMean, recorded.pythonRecallMean)
  const least = (values: readonly number[]): number => Math.min(...values)
  const worstPeer = peerText(peers, cost => cost.recallWorst, recorded.pythonRecallWorst, least)
  return [
    {
      figure: 'chroma-recall-at-250',
      value: mean,
      unit: 'share',
      against: `exact search, ${queries} queries; ${meanPeer}`,
      ratio: mean,
    },
    {
      figure: 'chroma-recall-at-250-worst',
      value: worst,
      unit: 'share',
      against: `exact search, worst query of all repetitions; ${worstPeer}`,
      ratio: worst,
    },
  ]
}

function queryFigure(figure: string, middle: Middle, share: 'p50Ms' | 'p95Ms', peer: string): BenchFigure {
  const [ours, exact] = [middle(cost => cost.chroma[share]), middle(cost => cost.exact[share])]
  const against = `exact search: ${rounded(exact, 1)} ms; one query over all documents of a task; ${peer}`
  return { figure, value: rounded(ours, 1), unit: 'ms', against, ratio: rounded(ours / exact, 2) }
}
