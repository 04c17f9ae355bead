import { dirname, join } from 'node:path'
import { defineBenchmark, filesAt } from './benchmark.ts'

/** The WideSearch benchmark (arXiv 2508.07999): tables whose rows must be found on the web. */
export const wideSearch = defineBenchmark({
  summary: "WideSearch's layout: widesearch.jsonl, and its gold tables in widesearch_gold beside it",
  scorers: ['widesearch', 'widesearch-fixed'],
  settings: ['closed-book', 'online'],
  otherSettings: [],
  prompts: async () => (await import('./widesearch-prompts.ts')).wideSearchPrompts,
  answerHosts: ['*widesearch*', '*marco-deepresearch*'],
  inputs: async path => [path, ...(await goldFiles(path))],
  load: async path => (await import('./load-widesearch.ts')).loadWideSearch(path),
})

/** DeepWideSearch: the questions of WideSearch with their subject hidden in a riddle. */
export const deepWideSearch = defineBenchmark({
  ...wideSearch,
  summary: "DeepWideSearch's questions: a JSONL file beside widesearch.jsonl and widesearch_gold",
  scorers: ['deepwidesearch', 'widesearch-fixed'],
  inputs: async path => [path, join(dirname(path), 'widesearch.jsonl'), ...(await goldFiles(path))],
  load: async path => (await import('./load-widesearch.ts')).loadDeepWideSearch(path),
})

async function goldFiles(path: string): Promise<string[]> {
  return await filesAt(join(dirname(path), 'widesearch_gold'), name => name.endsWith('.csv'))
}
