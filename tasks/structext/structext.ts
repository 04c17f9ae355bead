import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { structextScorer } from './scorer.ts'

/** The StrucText-Eval benchmark: questions about short texts in eight structured languages. */
const structext = defineBenchmark({
  summary:
    "StrucText-Eval's samples: a folder of its JSON files, or a file with one sample, a list, or a sample per line (tasks make structext)",
  answerKinds: ['text'],
  data: {
    source: 'https://github.com/MikeGu721/StrucText-Eval',
    licence: 'MIT',
    layout: 'the folder of JSON files, or nothing: tablehunt tasks make structext generates samples',
  },
  scorers: ['structext', 'rouge-l', 'judge-accuracy'],
  settings: ['offline'],
  otherSettings: ['rag', 'closed-book'],
  prompts: 'structext-naive',
  answerHosts: ['*MikeGu721/StrucText-Eval*'],
  taskType: ({ facets }) => facets?.task ?? null,
  tables: async () => (await import('./tables.ts')).structextTables,
  load: async path => (await import('./load.ts')).loadStructext(path),
})

/** The room of StrucText-Eval. */
export const structextRoom: BenchmarkRoom = {
  benchmarks: { structext },
  scorers: { structext: structextScorer },
}
