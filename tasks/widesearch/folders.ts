import { dirname, join } from 'node:path'

/** Returns the folder of WideSearch's gold tables, beside its file of tasks. */
export function findWideGoldFolder(path: string): string {
  return join(dirname(path), 'widesearch_gold')
}

/** Returns the folder of DeepWideSearch's gold tables: `overall_tables` for `overall.jsonl`. */
export function findDeepGoldFolder(path: string): string {
  return `${path.replace(/\.jsonl$/, '')}_tables`
}
