import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { strucBenchAbilities, strucBenchPScore, strucBenchScorer } from './scorer.ts'

/** The Struc-Bench benchmark: writes a table as text, HTML or LaTeX from a description of its content and form. */
const strucBench = defineBenchmark({
  summary:
    "Struc-Bench's records { instruction, input, output }: a JSON list, JSON lines, or a folder of such files",
  answerKinds: ['text'],
  data: {
    source: 'https://github.com/gersteinlab/Struc-Bench',
    licence: 'not stated',
    layout: 'a JSON list or JSON lines of { instruction, input, output }, in one file or a folder',
  },
  scorers: ['struc-bench', 'struc-bench-p-score', 'struc-bench-abilities', 'rouge-l'],
  answerHosts: ['*gersteinlab/struc-bench*'],
  inputs: async path => await (await import('./load.ts')).recordFiles(path),
  taskType: ({ facets }) => facets?.format ?? null,
  tables: async () => (await import('./tables.ts')).strucBenchTables,
  load: async path => await (await import('./load.ts')).loadStrucBench(path),
})

/** The room of Struc-Bench. */
export const strucBenchRoom: BenchmarkRoom = {
  benchmarks: { 'struc-bench': strucBench },
  scorers: {
    'struc-bench': strucBenchScorer,
    'struc-bench-p-score': strucBenchPScore,
    'struc-bench-abilities': strucBenchAbilities,
  },
}
