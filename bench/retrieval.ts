import type { Bench, Figure } from './figure.ts'
import { benchDocuments } from './parts/documents.ts'
import { runModule } from './parts/process.ts'
import { recorded } from './parts/recorded.ts'
import type { RetrievalCost, RetrievalInput, StoreTimes } from './parts/run-retrieval.ts'
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
  read: 'Read chroma-recall-at-250 (targets: mean 0.99, worst 0.95). The other ratios are relative to exact search in the same run.',
  figures: [
    'index-chunks-per-second',
    ...written.map(([dimensions]) => writtenFigure(dimensions)),
    'chroma-open-again-ms',
    'chroma-recall-at-250',
    'chroma-recall-at-250-worst',
    'chroma-query-p50-ms',
    'chroma-query-p95-ms',
  ],
  run: () => withTemporaryFolder(measure),
}

async function measure(textsFolder: string): Promise<Figure[]> {
  const documents = benchDocuments()
  const costs: RetrievalCost[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    costs.push(
      await withTemporaryFolder(async cacheFolder => {
        const dimensions = written.map(([size]) => size)
        const input: RetrievalInput = { ...documents, textsFolder, cacheFolder, dimensions }
        return await runModule<RetrievalCost>('parts/run-retrieval.js', input)
      }),
    )
  }
  return figuresOf(costs, documents.name)
}

function writtenFigure(dimensions: number): string {
  return `chroma-chunks-per-second-${dimensions}`
}

/** Returns the median over the repetitions. */
type Middle = (read: (cost: RetrievalCost) => number) => number

function figuresOf(costs: readonly RetrievalCost[], documents: string): Figure[] {
  const middle: Middle = read => median(costs.map(read))
  const [chunks, queries] = [costs[0]?.chunks ?? 0, costs[0]?.queries ?? 0]
  const recall = rounded(
    middle(cost => cost.recallMean),
    4,
  )
  const worst = Math.min(...costs.map(cost => cost.recallWorst))
  return [
    ...indexFigures(middle, chunks, documents),
    {
      figure: 'chroma-recall-at-250',
      value: recall,
      unit: 'share',
      against: `exact search, ${queries} queries; target: 0.99; recorded: Python ${recorded.pythonRecallMean}`,
      ratio: recall,
    },
    {
      figure: 'chroma-recall-at-250-worst',
      value: rounded(worst, 4),
      unit: 'share',
      against: `exact search, worst query of all repetitions; target: 0.95; recorded: Python ${recorded.pythonRecallWorst}`,
      ratio: rounded(worst, 4),
    },
    queryFigure('chroma-query-p50-ms', middle, times => times.p50Ms),
    queryFigure('chroma-query-p95-ms', middle, times => times.p95Ms),
  ]
}

function indexFigures(middle: Middle, chunks: number, documents: string): Figure[] {
  const perSecond = (ms: number): number => (chunks / ms) * 1_000
  const speed = perSecond(middle(cost => cost.chroma.indexMs))
  const exactSpeed = perSecond(middle(cost => cost.exact.indexMs))
  const [firstMs, againMs] = [middle(cost => cost.chroma.indexMs), middle(cost => cost.openAgainMs)]
  return [
    {
      figure: 'index-chunks-per-second',
      value: rounded(speed, 0),
      unit: 'chunks / s',
      against: `exact search (embedding only): ${rounded(exactSpeed, 0)}; recorded: Python ${recorded.pythonChunksPerSecond} without embedding; ${chunks} chunks, ${documents}`,
      ratio: rounded(speed / exactSpeed, 3),
    },
    ...written.map(([dimensions, target], at) => {
      const value = rounded(perSecond(middle(cost => cost.writeMs[at] ?? Number.NaN)), 0)
      const against = `target: ${target}; random vectors, without embedding`
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

function queryFigure(name: string, middle: Middle, read: (times: StoreTimes) => number): Figure {
  const [ours, exact] = [middle(cost => read(cost.chroma)), middle(cost => read(cost.exact))]
  const against = `exact search: ${rounded(exact, 1)} ms; one query over all documents of a task`
  return { figure: name, value: rounded(ours, 1), unit: 'ms', against, ratio: rounded(ours / exact, 2) }
}
