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
  ['Qwen/Qwen3-8B', 'question', null],
  ['moonshotai/Kimi-K2.5', 'question', null],
  ['mistralai/Mistral-Nemo-Instruct-2407', 'question', 0.3],
  ['claude-sonnet-4-5', 'question', null],
] as const)('%s: reasoning %s, temperature %s', (name, keptReasoning, temperature) => {
  const advice = makerAdvice(name)
  expect(advice).toMatchObject({ keptReasoning, temperature })
  expect(advice.source).toMatch(/^https:/)
})

it.each(['my-own-model', 'numind/NuExtract3', 'Qwen/Qwen3-Coder-30B-A3B-Instruct'])(
  'leaves the temperature of %s, which has no row, to its server',
  name => {
    expect(makerAdvice(name)).toEqual({ keptReasoning: 'question', temperature: null, source: null })
  },
)
