import { expect, it } from 'vitest'
import { continueOnline } from '../../agents/continue-online.ts'
import { toolsText } from '../../src/models/tool-schema.ts'
import { document, question, says, scripted, table, world } from './harness.ts'

const transcript = async () => [{ role: 'user' as const, text: 'Compare revenue.' }]

it('reserves tokens for the tools that are sent with the conversation', async () => {
  const model = scripted({ contextWindow: 8_000, turns: [says(table)] })
  const { environment, of } = world(model, {
    transcript,
    documents: async () => [document('a.pdf', 'x'.repeat(20_000))],
  })
  await continueOnline(question, environment)
  const [request] = model.requests
  const tools = toolsText(request!.options.tools).length
  const messages = request!.messages.reduce((sum, message) => sum + message.text.length, 0)
  const reserved = of('model-called')[0]!.reservedTokens
  expect(reserved).toBeGreaterThanOrEqual((messages + tools) * 1.1)
  expect(reserved).toBeLessThanOrEqual(8_000 - 2_000)
})

it('fills the rest of the context window with documents', async () => {
  const said = 'so '.repeat(23_000)
  const model = scripted({ contextWindow: 100_000, turns: [says(table)] })
  const { environment } = world(model, {
    transcript: async () => [{ role: 'user' as const, text: said }],
    documents: async () => [document('a.pdf', 'x'.repeat(200_000))],
  })
  const { context } = await continueOnline(question, environment)
  expect(context?.documents[0]?.charsInPrompt).toBeGreaterThan(1_000)
})

it.each([
  ['auto', false],
  ['off', false],
  ['on', true],
])(
  'with --keep-reasoning %s, the new question leaves the earlier reasoning in place: %s',
  async (mode, isKept) => {
    const calls = [{ id: 'c', name: 'web_search', args: { queries: ['a'] } }]
    const reasoning = { reasoning_content: 'It may be 48213.' }
    const model = scripted({ turns: [says(table)] })
    const { environment } = world(model, {
      options: { keepReasoning: mode },
      transcript: async () => [
        { role: 'user', text: 'Compare revenue.' },
        { role: 'assistant', text: '<think>Profit 77123.</think>I look.', calls, reasoning },
        { role: 'tool', text: 'hits', callId: 'c', tool: 'web_search' },
      ],
      documents: async () => [document('a.pdf', 'text')],
    })
    await continueOnline(question, environment)
    const sent = model.requests[0]!.messages.find(message => message.type === 'ai')!
    expect(sent.text).toBe(isKept ? '<think>Profit 77123.</think>I look.' : 'I look.')
    expect(sent.additional_kwargs).toEqual(isKept ? reasoning : {})
  },
)
