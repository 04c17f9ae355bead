import { type BenchmarkRoom, defineBenchmark, listFiles } from '../benchmark.ts'
import { longTableBenchScorer } from './scorer.ts'

/** The LongTableBench benchmark: questions and conversations about long tables in three sizes. */
const longTableBench = defineBenchmark({
  summary:
    "LongTableBench's folder: datasets/questions/{8k,32k,inf}/longtablebench_{single,multi}.json and datasets/tables/**/*.csv",
  answerKinds: ['text'],
  data: {
    source: 'https://github.com/liyaooi/LongTableBench',
    licence: 'not stated for the questions; their sources BIRD, Spider and Dr.Spider are CC BY 4.0 and alike',
    layout: 'the folder datasets with questions and tables',
  },
  scorers: ['longtablebench', 'answer-f1'],
  settings: ['offline', 'rag', 'table-rag', 'text-to-sql'],
  cut: 'head-tail',
  answerHosts: ['*liyaooi/longtablebench*'],
  inputs: async path => await listFiles(path, name => /\.(?:json|jsonl|csv)$/i.test(name)),
  taskType: ({ facets }) => facets?.task ?? null,
  tables: async () => (await import('./tables.ts')).longTableBenchTables,
  load: async path => (await import('./load.ts')).loadLongTableBench(path),
})

/** The room of LongTableBench. */
export const longTableBenchRoom: BenchmarkRoom = {
  benchmarks: { longtablebench: longTableBench },
  scorers: { longtablebench: longTableBenchScorer },
}
