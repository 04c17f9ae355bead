import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { writeChatRequest } from '../../src/models/dialects/chat-completions.ts'
import { openChatReader } from '../../src/models/dialects/chat-completions-reader.ts'
import { readUsage } from '../../src/models/message-usage.ts'

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

const queries = { queries: ['beds'] }
const json = JSON.stringify(queries)

it.each([
  [
    'arguments under another name',
    { message: { tool_calls: [{ function: { name: 'f', parameters: queries } }] } },
  ],
  ['an input', { message: { tool_calls: [{ name: 'f', input: queries }] } }],
  ['one call instead of a list', { message: { tool_calls: { function: { name: 'f', arguments: json } } } }],
  ['one call under another name', { message: { tool_call: { name: 'f', arguments: json } } }],
  [
    'calls as text',
    { message: { tool_calls: JSON.stringify([{ function: { name: 'f', arguments: json } }]) } },
  ],
  ['calls beside the message', { tool_calls: [{ function: { name: 'f', arguments: json } }], message: {} }],
  ['a call among the parts', { message: { content: [{ type: 'tool_use', name: 'f', input: queries }] } }],
])('reads a call with %s', (_, choice) => {
  expect(readAll([{ choices: [choice] }])!.tool_calls).toMatchObject([{ name: 'f', args: queries }])
})

it('reads the calls of a second choice only when the first one ends with calls and has none', () => {
  const second = {
    index: 1,
    message: { content: 'other', tool_calls: [{ function: { name: 'f', arguments: json } }] },
  }
  const first = (finish_reason: string) => ({ index: 0, finish_reason, message: { content: 'text' } })
  const called = readAll([{ choices: [first('tool_calls'), second] }])!
  expect([called.text, called.tool_calls?.length]).toEqual(['text', 1])
  expect(readAll([{ choices: [first('stop'), second] }])!.tool_calls).toEqual([])
})

it('joins the pieces of a streamed call without a number', () => {
  const pieces = [
    { id: 'a', function: { name: 'f', arguments: '{"queries":' } },
    { function: { arguments: '["beds"]}' } },
  ]
  const next = { id: 'b', function: { name: 'g', arguments: '{}' } }
  const chunks = [...pieces, next].map(call => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))
  expect(readAll(chunks)!.tool_calls).toMatchObject([
    { name: 'f', args: queries },
    { name: 'g', args: {} },
  ])
})

it.each([
  ['a number that is a text', { index: '0', message: { content: 'a' } }],
  ['the number 1', { index: 1, message: { content: 'a' } }],
  ['text instead of a message', { index: 0, text: 'a' }],
  ['content as one part', { message: { content: { type: 'text', text: 'a' } } }],
])('reads a choice with %s', (_, choice) => {
  expect(readAll([{ choices: [choice] }])!.text).toBe('a')
})

it('does not read a choice without a message and with something that is not known', () => {
  expect(readAll([{ choices: [{ index: 0, finish_reason: 'stop' }] }])!.text).toBe('')
  expect(readAll([{ choices: [{ index: 0, finish_reason: 'stop', reply: { content: 'a' } }] }])).toBeNull()
})

it.each([
  ['cumulative counts', [usage(1000, 5), usage(1000, 20)]],
  ['zeros in the last chunk', [usage(1000, 20), usage(0, 0)]],
  ['the input first and the output last', [usage(1000, 0), usage(0, 20)]],
  ['a part of the counts', [{ input_tokens: 1000 }, { output_tokens: 20 }]],
])('joins the usage of chunks with %s', (_, reports) => {
  const chunks = reports.map(report => ({ choices: [{ index: 0, delta: { content: 'a' } }], usage: report }))
  expect(readUsage(readAll(chunks)!)).toMatchObject({ input_tokens: 1000, output_tokens: 20 })
  expect(readUsage(readAll(chunks)!)).not.toHaveProperty('uncertain')
})

function usage(prompt: number, completion: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function readAll(parts: readonly Record<string, unknown>[]) {
  const reader = openChatReader({ model: 'm', isStreamed: false, wantsUsage: true })
  for (const part of parts) reader.take(part)
  return reader.answer()
}
