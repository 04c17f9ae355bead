import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { createModel } from '../../../src/models/registry.ts'

const question = '# Question\nAssess the profitability.\n\n# Documents\n- kestrel-2023.pdf\n'
const hits = 'Results for "kestrel 2023":\n1. Kestrel\n   URL: https://a.example/kestrel-2023.pdf\n   Kestrel'
const toolNamed = (name: string) => tool(async () => '', { name, description: '', schema: z.object({}) })

/** Asks the model, with the tools that an agent offers under the names of its own. */
async function callsAfter(
  prefix: string,
  said: string,
  result: string | null,
  readers = ['fetch_page', 'read_pdf'],
) {
  const source = await createModel('extractive', { toolProtocol: 'auto', seed: 0, env: {} })
  const model = source.forAttempt({ taskId: 't', setting: 'online', trial: 0, seed: 0 })
  const call = { id: 'c', name: `${prefix}web_search`, args: { queries: ['kestrel 2023'] } }
  const searched =
    result === null
      ? []
      : [
          new AIMessage({ content: '', tool_calls: [call] }),
          new ToolMessage({ content: result, tool_call_id: 'c' }),
        ]
  const tools = ['shell', 'web_search', ...readers].map(name => toolNamed(`${prefix}${name}`))
  const { signal } = new AbortController()
  const messages = [...said.split('\0').map(text => new HumanMessage(text)), ...searched]
  const answer = await model.call(messages, { tools, maxOutputTokens: null, signal })
  return (answer.tool_calls ?? []).map(({ name, args }) => ({ name, args }))
}

describe('extractive behind an agent that is not ours', () => {
  it('opens a PDF with the tool for pages when no other is offered', async () => {
    expect(await callsAfter('my_', question, hits, ['fetch_page'])).toEqual([
      { name: 'my_fetch_page', args: { url: 'https://a.example/kestrel-2023.pdf' } },
    ])
  })

  it.each(['', 'tablehunt_', 'mcp_tablehunt_', 'mcp__tablehunt__', 'tablehunt-'])(
    'calls tools by the names that the agent offers, with %j in front',
    async prefix => {
      const search = { name: `${prefix}web_search`, args: { queries: ['kestrel 2023'] } }
      expect(await callsAfter(prefix, question, null)).toEqual([search])
      const read = { name: `${prefix}read_pdf`, args: { url: 'https://a.example/kestrel-2023.pdf' } }
      expect(await callsAfter(prefix, question, hits)).toEqual([read])
    },
  )

  const forms = {
    'the parts of an MCP result': JSON.stringify([{ type: 'text', text: hits }]),
    'structured content': JSON.stringify({ text: hits, truncated: false }),
    'structured content below a heading': `Wall time: 1 second\nOutput:\n${JSON.stringify({ text: hits })}`,
    'text between tags': `<untrusted_context>\n${hits}\n</untrusted_context>`,
  }
  it.each(Object.entries(forms))('reads a tool result that is %s', async (_form, result) => {
    const [call] = await callsAfter('', question, result)
    expect(call?.args).toEqual({ url: 'https://a.example/kestrel-2023.pdf' })
  })

  it.each([
    `<environment>\n# Files\n- notes.md\n</environment>\0${question}`,
    `<files>\n</files>${question}`,
  ])('finds the question after a description of the environment: %j', async said => {
    expect(await callsAfter('', said, null)).toEqual([
      { name: 'web_search', args: { queries: ['kestrel 2023'] } },
    ])
  })
})
