import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { writeChatRequest } from '../../src/models/dialects/chat-completions.ts'
import { openChatReader } from '../../src/models/dialects/chat-completions-reader.ts'

it.each([
  ['null', 'null', '{}'],
  ['null in spaces', ' null ', '{}'],
  ['a JSON null', null, '{}'],
  ['null encoded twice', '"null"', '{}'],
  ['nothing', '', '{}'],
  ['an object', '{"a":null}', '{"a":null}'],
  ['a text that begins with null', 'nullable', 'nullable'],
])('sends arguments that are %s back in a form that servers take', (_, given, expected) => {
  const reader = openChatReader({ model: 'm', isStreamed: false, wantsUsage: true })
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: given } }
  reader.take({ choices: [{ message: { tool_calls: [call] } }] })
  const answer = reader.answer()!
  const [invalid] = answer.invalid_tool_calls ?? []
  const { messages } = writeChatRequest('m', [answer], request) as { messages: SentMessage[] }
  expect(invalid?.args ?? messages[0]!.tool_calls[0]!.function.arguments).toBe(expected)
})

interface SentMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls: readonly { readonly function: { readonly arguments: string } }[]
}

const request = { tools: [], maxOutputTokens: null, signal: new AbortController().signal }

it('writes instructions for OpenAI’s reasoning models as those of the developer', () => {
  const roles = (model: string) =>
    (
      writeChatRequest(model, [new SystemMessage('s'), new HumanMessage('u')], request) as {
        messages: SentMessage[]
      }
    ).messages.map(({ role }) => role)
  expect(roles('gpt-5-mini')).toEqual(['developer', 'user'])
  expect(roles('gpt-4o')).toEqual(['system', 'user'])
})

it('writes files as data URLs, and the result of a tool with its call', () => {
  const file = {
    ...{ type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: 'QQ==' },
    metadata: { filename: 'a.pdf' },
  }
  const messages = [
    new HumanMessage({ content: [file, { type: 'text', text: 'read' }] as never }),
    new ToolMessage({ content: 'found', tool_call_id: 'c', name: 'search' }),
  ]
  expect(writeChatRequest('m', messages, request).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' } },
        { type: 'text', text: 'read' },
      ],
    },
    { role: 'tool', content: 'found', name: 'search', tool_call_id: 'c' },
  ])
})
