import { expect, it } from 'vitest'
import { retrievers } from '../../retrieval/registry.ts'
import { resolveConfig } from '../../src/config.ts'
import { maxSpending } from '../../src/run/plan/caps.ts'

const model = { contextWindow: 1000, price: null }

function mostTokens(retriever: string, ragQuery: string): number | null {
  const config = resolveConfig({ tasks: 't.jsonl', out: 'run', setting: 'rag', retriever, ragQuery })
  return maxSpending(config, 'rag', model, null).tokens
}

it.each(retrievers.entries())(
  'bounds what %s can spend by the passages that it has rated',
  (name, { ratedPassages = 0 }) => {
    expect(mostTokens(name, 'task')).toBe(ratedPassages === 0 ? 1000 : 6000)
    expect(mostTokens(name, 'column')).toBe(ratedPassages === 0 ? 2000 : null)
  },
)

it('bounds dollars at 0 where tokens and searches cost nothing, however many there are', () => {
  const config = resolveConfig({ tasks: 't.jsonl', out: 'run', setting: 'offline' })
  const free = { contextWindow: null, price: { input: 0, cachedInput: 0, output: 0 } }
  expect(maxSpending(config, 'offline', free, null)).toEqual({ tokens: null, searchCalls: 0, usd: 0 })
  expect(maxSpending(config, 'offline', { ...free, price: null }, null).usd).toBeNull()
  expect(maxSpending(config, 'online', free, null).usd).toBeNull()
})
