import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { qaScorer } from './scorer.ts'

/** The benchmark for your own questions with short answers. */
const qa = defineBenchmark({
  summary: 'a CSV or Excel file with a question per row: columns question, answer, documents (docs/qa.md)',
  answerKinds: ['text'],
  scorers: ['qa', 'judge-accuracy', 'answer-f1', 'rouge-l'],
  inputs: async path => [path],
  load: async (path, options) => await (await import('./load.ts')).loadQuestions(path, options),
})

/** The room of questions and answers. */
export const qaRoom: BenchmarkRoom = { benchmarks: { qa }, scorers: { qa: qaScorer } }
