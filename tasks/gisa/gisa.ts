import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { gisaScorer, gisaTableScorer } from './scorer.ts'

/** The GISA benchmark (arXiv 2602.08543): questions for web agents whose answers are items, sets, lists and tables. */
const gisa = defineBenchmark({
  summary: "GISA's layout: question.jsonl, and the folder answers of CSV files beside it",
  answerKinds: ['table', 'text'],
  data: {
    source: 'https://huggingface.co/datasets/RUC-NLPIR/GISA',
    licence: 'Apache-2.0',
    layout: 'question.jsonl with encrypted questions, and the folder answers with a file ID.csv for each',
  },
  scorers: ['gisa-table', 'strict', 'gisa', 'answer-f1'],
  settings: ['closed-book', 'online'],
  otherSettings: [],
  prompts: async () => (await import('./prompts.ts')).gisaPrompts,
  answerHosts: ['*RUC-NLPIR/GISA*', '*2602.08543*'],
  inputs: async path => await (await import('./load.ts')).listGisaFiles(path),
  taskType: ({ facets }) => facets?.answer ?? null,
  load: async path => await (await import('./load.ts')).loadGisa(path),
})

/** The room of GISA. */
export const gisaRoom: BenchmarkRoom = {
  benchmarks: { gisa },
  scorers: { gisa: gisaScorer, 'gisa-table': gisaTableScorer },
}
