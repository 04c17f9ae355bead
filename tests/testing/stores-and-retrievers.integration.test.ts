import { testEveryEntry } from './every-entry.ts'

testEveryEntry('vectorStores', { chroma: {}, exact: {} })

testEveryEntry('retrievers', {
  aoe: {},
  bm25: {},
  hybrid: {},
  'per-document': {},
  'table-aware': {},
  mmr: {},
  rerank: {},
})
