import { expect, it } from 'vitest'
import { makerAdvice } from '../../src/models/maker-advice.ts'

it.each([
  ['deepseek-reasoner', 'always', null],
  ['deepseek-ai/DeepSeek-R1-0528', 'never', null],
  ['MiniMaxAI/MiniMax-M2', 'always', null],
  ['moonshotai/kimi-k2-thinking', 'always', null],
  ['moonshotai/Kimi-K2-Instruct-0905', 'question', 0.6],
  ['z-ai/glm-4.6', 'question', null],
  ['openai/gpt-oss-120b', 'question', null],
  ['Qwen/Qwen3-30B-A3B-Thinking-2507', 'question', null],
  ['Qwen/Qwen3-30B-A3B-Instruct-2507', 'question', 0.7],
  ['Qwen/QwQ-32B', 'question', null],
  ['numind/NuExtract-2.0-8B', 'never', 0],
  ['claude-sonnet-4-5', 'question', null],
] as const)('%s: reasoning %s, temperature %s', (name, keptReasoning, temperature) => {
  const advice = makerAdvice(name)
  expect(advice).toMatchObject({ keptReasoning, temperature })
  expect(advice.source).toMatch(/^https:/)
})

it('leaves the temperature of an unknown model to its server', () => {
  expect(makerAdvice('my-own-model')).toEqual({ keptReasoning: 'question', temperature: null, source: null })
})
