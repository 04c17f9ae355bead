import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { listUnusedOptionNotices } from '../../src/run/make-attempts.ts'

const noticesOf = (options: Record<string, unknown>): string[] =>
  listUnusedOptionNotices(resolveConfig({ tasks: 't.jsonl', out: 'runs/a', ...options }))

it('names the options of settings that the run does not have, in one line', () => {
  const online = { tools: 'calculate', mcp: ['http://a.example/mcp'], contextPolicy: 'keep-last:1' }
  expect(noticesOf({ setting: 'offline', ...online })).toEqual([
    'options without effect: --tools (online), --mcp (online), --context-policy (online). No setting of this run uses them. Add one that does to --setting, or leave them out.',
  ])
  expect(noticesOf({ setting: 'offline,online', ...online })).toEqual([])
  expect(noticesOf({ setting: 'online', retriever: 'bm25' })[0]).toContain('--retriever (rag)')
})

it('says nothing about defaults', () => {
  for (const setting of ['offline', 'rag', 'online', 'closed-book'])
    expect(noticesOf({ setting })).toEqual([])
})

it('says that models without requests ignore --request-field', () => {
  const requestField = ['presence_penalty=1.1']
  expect(noticesOf({ setting: 'offline', requestField, model: ['extractive', 'openai:m'] })).toEqual([
    expect.stringMatching(/^--request-field has no effect on extractive, .* choose a language model/),
  ])
  expect(noticesOf({ setting: 'offline', requestField, model: ['openai:m'] })).toEqual([])
})
