import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { listArms } from '../../src/run/plan/arms.ts'

const config = (more: Record<string, unknown>) => resolveConfig({ tasks: '-', out: '-', ...more })
const variants = (more: Record<string, unknown>, setting: string): string[] =>
  listArms(config(more), setting).map(({ options }) => optionsText(options))

it('makes each table format an arm of the settings with documents in their prompts', () => {
  const formats = { tableFormat: 'markdown,sql' }
  expect(variants(formats, 'offline')).toEqual(['', 'table-format=sql'])
  expect(variants({ ...formats, retriever: 'bm25', contextTokens: '2k' }, 'rag')).toEqual([
    'retriever=bm25,context-tokens=2000',
    'table-format=sql,retriever=bm25,context-tokens=2000',
  ])
  expect(variants(formats, 'closed-book')).toEqual([''])
  expect(variants(formats, 'online')).toEqual([''])
  expect(variants({ tableFormat: 'sql', web: 'sealed' }, 'online')).toEqual(['table-format=sql'])
})

it('keeps the names and order of earlier options', () => {
  const more = {
    cut: 'head',
    retriever: 'aoe,bm25',
    ragQuery: 'column',
    contextTokens: '2k,8k',
    controls: 'oracle,found-only',
    embedder: 'openai:e5@http://127.0.0.1:8082/v1',
    temperature: 0.5,
  }
  const before = 'temperature=0.5,cut=head'
  const after = 'embedder=openai:e5,rag-query=column'
  expect(variants(more, 'rag')).toEqual(
    ['', 'retriever=bm25,'].flatMap(retriever =>
      ['2000', '8000'].flatMap(size =>
        ['', ',control=oracle'].map(
          control => `${before},${retriever}${after},context-tokens=${size}${control}`,
        ),
      ),
    ),
  )
  expect(variants(more, 'online')).toEqual(['temperature=0.5', 'temperature=0.5,cut=head,control=found-only'])
})

it('names the cut of documents only when it is not the default of the benchmark', () => {
  const tables = { benchmark: 'longtablebench' }
  expect(config(tables).cut).toBe('head-tail')
  expect(variants(tables, 'offline')).toEqual([''])
  expect(variants({ ...tables, cut: 'even' }, 'offline')).toEqual(['cut=even'])
  expect(variants({ cut: 'head-tail' }, 'offline')).toEqual(['cut=head-tail'])
  expect(variants({ ...tables, controls: 'found-only' }, 'online')).toEqual(['', 'control=found-only'])
})
