import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { isObject } from '../../../src/text/json.ts'
import { readModelAnswer } from '../../model-answer.ts'
import { type AnswerReader, BadRequestError, type Dialect, type JsonObject } from './dialect.ts'

/** OpenAI's chat completions, which most servers and agents speak. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    if (!Array.isArray(body.messages)) throw new BadRequestError("'messages' is not a list")
    const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap(tool => {
      const called = isObject(tool) && isObject(tool.function) ? tool.function : null
      if (called === null) return []
      return [
        {
          name: String(called.name),
          description: String(called.description ?? ''),
          parameters: isObject(called.parameters) ? called.parameters : { type: 'object', properties: {} },
        },
      ]
    })
    const most = body.max_completion_tokens ?? body.max_tokens
    return {
      messages: body.messages.map(readMessage),
      tools,
      forbidsTools: body.tool_choice === 'none',
      maxOutputTokens: typeof most === 'number' ? most : null,
      isStreamed: body.stream === true,
    }
  },
  forward(body, { model, seed, maxOutputTokens }) {
    const cap = 'max_completion_tokens' in body ? 'max_completion_tokens' : 'max_tokens'
    return {
      ...body,
      model,
      seed,
      ...(maxOutputTokens === null ? {} : { [cap]: maxOutputTokens }),
      ...(body.stream === true ? { stream_options: { include_usage: true } } : {}),
    }
  },
  write(answer) {
    const { finishReason, usage } = readModelAnswer(answer)
    return {
      ...head('chat.completion'),
      choices: [{ index: 0, message: messageOf(answer), finish_reason: finishReason }],
      usage: {
        prompt_tokens: usage?.inputTokens ?? 0,
        completion_tokens: usage?.outputTokens ?? 0,
        total_tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      },
    }
  },
  *stream(answer) {
    const { finishReason } = readModelAnswer(answer)
    const chunk = (delta: unknown, finish: string | null): string =>
      `data: ${JSON.stringify({ ...head('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    yield chunk(messageOf(answer), null)
    yield chunk({}, finishReason)
    yield 'data: [DONE]\n\n'
  },
  openReader(): AnswerReader {
    throw new Error('not yet')
  },
  error: (_status, message, code) => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  }),
}

const head = (object: string) => ({ id: 'chatcmpl-tablehunt', object, created: 0, model: 'tablehunt' })

function messageOf(answer: AIMessage): JsonObject {
  const { text, calls } = readModelAnswer(answer)
  const tool_calls = calls.map(({ id, name, args }, index) => ({
    ...{ index, id, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }))
  return { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls }) }
}

function readMessage(message: unknown): BaseMessage {
  if (!isObject(message)) throw new BadRequestError('a message is not an object')
  const content = textOf(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      return new SystemMessage(content)
    case 'assistant':
      return new AIMessage({ content, tool_calls: callsOf(message.tool_calls) })
    case 'tool':
      return new ToolMessage({ content, tool_call_id: String(message.tool_call_id ?? '') })
    default:
      return new HumanMessage(content)
  }
}

function callsOf(calls: unknown) {
  return (Array.isArray(calls) ? calls : []).filter(isObject).map(call => {
    const called = isObject(call.function) ? call.function : {}
    let args: unknown = {}
    try {
      args = JSON.parse(String(called.arguments ?? '{}'))
    } catch {}
    return { id: String(call.id ?? ''), name: String(called.name ?? ''), args: isObject(args) ? args : {} }
  })
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
