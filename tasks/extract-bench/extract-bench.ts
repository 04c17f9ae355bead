import { type BenchmarkRoom, defineBenchmark, listFiles } from '../benchmark.ts'
import { extractBenchScorer } from './scorer.ts'

/** The ExtractBench benchmark: extracts a JSON value from each document by a JSON Schema. */
const extractBench = defineBenchmark({
  summary: "ExtractBench's layout: a folder of JSON Schemas (*-schema.json) and gold files (NAME.gold.json)",
  answerKinds: ['json'],
  data: {
    source: 'https://github.com/ContextualAI/extract-bench',
    licence: 'MIT',
    layout: 'the folder of schemas and gold files; its PDF files in one folder for --docs',
  },
  answerHosts: ['*contextualai/extract-bench*'],
  inputs: async path => await listFiles(path, name => name.endsWith('.json')),
  taskType: ({ facets }) => facets?.schema ?? null,
  tables: async () => (await import('./tables.ts')).extractBenchTables,
  load: async path => (await import('./load.ts')).loadExtractBench(path),
})

/** The room of ExtractBench. */
export const extractBenchRoom: BenchmarkRoom = {
  benchmarks: { 'extract-bench': extractBench },
  scorers: { 'extract-bench': extractBenchScorer },
}
