import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'
import { browseCompPlusScorer } from './scorer.ts'

/** The BrowseComp-Plus benchmark (arXiv 2508.06600): BrowseComp's questions over a fixed corpus with judged documents. */
const browseCompPlus = defineBenchmark({
  summary:
    "BrowseComp-Plus's layout: JSON lines with query_id, query and answer, beside its relevance judgements",
  answerKinds: ['text'],
  data: {
    source: 'https://huggingface.co/datasets/Tevatron/browsecomp-plus',
    licence: 'MIT by the data card; no licence is stated for the code',
    layout:
      'query_id, query and answer as JSON lines, still encrypted; canary.txt with the canary; qrel_evidence.txt and qrel_golds.txt from github.com/texttron/BrowseComp-Plus, all in one folder',
  },
  scorers: ['browsecomp-plus'],
  settings: ['closed-book', 'online'],
  otherSettings: [],
  answerHosts: ['*browsecomp*', '*2508.06600*', '*2504.12516*'],
  inputs: async path => await (await import('./load.ts')).listBrowseCompPlusFiles(path),
  tables: async () => (await import('./tables.ts')).browseCompPlusTables,
  load: async path => await (await import('./load.ts')).loadBrowseCompPlus(path),
})

/** The room of BrowseComp-Plus. */
export const browseCompPlusRoom: BenchmarkRoom = {
  benchmarks: { 'browsecomp-plus': browseCompPlus },
  scorers: { 'browsecomp-plus': browseCompPlusScorer },
}
