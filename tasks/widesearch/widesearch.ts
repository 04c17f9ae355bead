import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BenchmarkRoom, defineBenchmark, listFiles } from '../benchmark.ts'
import { findDeepGoldFolder, findWideGoldFolder } from './folders.ts'
import { deepWideSearchScorer, fixedWideSearchScorer, wideSearchScorer } from './scorer.ts'

/** The WideSearch benchmark (arXiv 2508.07999): tables whose rows must be found on the web. */
const wideSearch = defineBenchmark({
  summary: "WideSearch's layout: widesearch.jsonl, and its gold tables in widesearch_gold beside it",
  data: {
    source: 'https://huggingface.co/datasets/ByteDance-Seed/WideSearch',
    licence: 'code MIT; the data card says "other" without terms',
    layout: 'widesearch.jsonl, and the folder widesearch_gold beside it',
  },
  scorers: ['widesearch', 'widesearch-fixed'],
  settings: ['closed-book', 'online'],
  otherSettings: [],
  prompts: async () => (await import('./prompts.ts')).wideSearchPrompts,
  answerHosts: ['*widesearch*', '*marco-deepresearch*'],
  inputs: async path => [path, ...(await listGoldFiles(findWideGoldFolder(path)))],
  load: async path => (await import('./load.ts')).loadWideSearch(path),
})

/** DeepWideSearch: the questions of WideSearch with their subject hidden in a riddle. */
const deepWideSearch = defineBenchmark({
  ...wideSearch,
  summary:
    "DeepWideSearch's layout: FILE.jsonl with its gold tables in FILE_tables, or beside WideSearch's download",
  data: {
    source: 'https://github.com/AIDC-AI/Marco-DeepResearch',
    licence: "Apache-2.0; its gold tables are WideSearch's",
    layout:
      "FILE.jsonl with its gold tables in FILE_tables, or beside WideSearch's widesearch.jsonl and widesearch_gold",
  },
  scorers: ['deepwidesearch', 'widesearch-fixed'],
  // Its hidden subjects include those of BrowseComp.
  answerHosts: [...wideSearch.answerHosts, '*browsecomp*'],
  inputs: async path => [
    path,
    ...[join(dirname(path), 'widesearch.jsonl')].filter(existsSync),
    ...(await listGoldFiles(findWideGoldFolder(path))),
    ...(await listGoldFiles(findDeepGoldFolder(path))),
  ],
  load: async path => (await import('./load.ts')).loadDeepWideSearch(path),
})

async function listGoldFiles(folder: string): Promise<string[]> {
  return existsSync(folder) ? await listFiles(folder, name => name.endsWith('.csv')) : []
}

/** The room of WideSearch. */
export const wideSearchRoom: BenchmarkRoom = {
  benchmarks: { widesearch: wideSearch, deepwidesearch: deepWideSearch },
  scorers: {
    widesearch: wideSearchScorer,
    'widesearch-fixed': fixedWideSearchScorer,
    deepwidesearch: deepWideSearchScorer,
  },
}
