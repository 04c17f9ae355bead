import { expect, it } from 'vitest'
import { retrievers } from '../../retrieval/registry.ts'
import { resolveConfig } from '../../src/config.ts'
import { readMaxSpending } from '../../src/run/plan/caps.ts'

const model = { contextWindow: 1000, price: null }

function mostTokens(retriever: string, ragQuery: string): number | null {
  const config = resolveConfig({ tasks: 't.jsonl', out: 'run', setting: 'rag', retriever, ragQuery })
  return readMaxSpending(config, 'rag', model, null).tokens
}

it.each(retrievers.entries())(
  'limits the spending of %s by the number of passages that it rates',
  (name, { ratedPassages = 0 }) => {
    expect(mostTokens(name, 'task')).toBe(ratedPassages === 0 ? 1000 : 6000)
    expect(mostTokens(name, 'column')).toBe(ratedPassages === 0 ? 2000 : null)
  },
)

it('expects 0 dollars when tokens and searches are free, whatever their number', () => {
  const config = resolveConfig({ tasks: 't.jsonl', out: 'run', setting: 'offline' })
  const free = { contextWindow: null, price: { input: 0, cachedInput: 0, output: 0 } }
  expect(readMaxSpending(config, 'offline', free, null)).toEqual({ tokens: null, searchCalls: 0, usd: 0 })
  expect(readMaxSpending(config, 'offline', { ...free, price: null }, null).usd).toBeNull()
  expect(readMaxSpending(config, 'online', free, null).usd).toBeNull()
})
