import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { isAoeRecordId, readTaskType } from './record.ts'
import { aoeScorer, paperScorer } from './scorer.ts'

/** The AOE benchmark (arXiv 2507.16271). Its record format can also be used for your own tasks. */
const aoe = defineBenchmark({
  summary: "AOE's record format: a JSONL file, one record per line",
  data: {
    source: 'https://anonymous.4open.science/r/AOE-Benchmark/',
    licence: 'Apache-2.0',
    layout: 'a JSONL file of records; the PDF files that they name in one folder for --docs',
  },
  // The last host publishes some of the documents together with their answers.
  answerHosts: ['*tianyumyum/aoe*', '*all_aoe_tables*', '*r/aoe-benchmark*', '*contextualai/extract-bench*'],
  scorers: ['aoe', 'paper', 'strict'],
  scorerOf: ({ taskId }) => (isAoeRecordId(taskId) ? 'aoe' : 'strict'),
  inputs: async path => [path],
  taskType: readTaskType,
  tables: async () => (await import('./tables.ts')).aoeTables,
  load: async path => (await import('./load.ts')).loadAoe(path),
})

/** The room of AOE. */
export const aoeRoom: BenchmarkRoom = { benchmarks: { aoe }, scorers: { aoe: aoeScorer, paper: paperScorer } }
