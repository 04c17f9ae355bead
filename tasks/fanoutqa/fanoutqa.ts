import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { fanOutScorer, fanOutTableScorer } from './scorer.ts'

/** The FanOutQA benchmark (ACL 2024): questions about several pages of Wikipedia, with these pages as evidence. */
const fanOutQa = defineBenchmark({
  summary: "FanOutQA's development set: fanout-final-dev.json",
  answerKinds: ['table', 'text'],
  data: {
    source: 'https://github.com/zhudotexe/fanoutqa',
    licence: 'code MIT, data CC BY-SA 4.0',
    layout:
      'fanoutqa/data/fanout-final-dev.json; for offline, rag and a sealed web, its pages as REVISION.html',
  },
  scorers: ['fanoutqa-table', 'strict', 'fanoutqa', 'answer-f1'],
  settings: ['closed-book', 'online'],
  otherSettings: ['offline', 'rag'],
  prompts: async () => (await import('./prompts.ts')).fanOutPrompts,
  answerHosts: ['*fanoutqa*', '*fanout-final-dev*'],
  inputs: async path => [path],
  taskType: ({ facets }) => facets?.answer ?? null,
  load: async path => await (await import('./load.ts')).loadFanOutQa(path),
})

/** The room of FanOutQA. */
export const fanOutQaRoom: BenchmarkRoom = {
  benchmarks: { fanoutqa: fanOutQa },
  scorers: { fanoutqa: fanOutScorer, 'fanoutqa-table': fanOutTableScorer },
}
