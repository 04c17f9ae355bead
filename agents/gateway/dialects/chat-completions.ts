import type { AIMessage } from '@langchain/core/messages'
import { isObject } from '../../../src/text/json.ts'
import { type AnswerParts, newId, partsOf } from './answer-parts.ts'
import { openChatReader } from './chat-reader.ts'
import { ConversationReader, type EarlierCall } from './conversation-reader.ts'
import {
  type AgentRequest,
  BadRequestError,
  type Dialect,
  type JsonObject,
  type OfferedTool,
} from './dialect.ts'
import {
  argumentsOf,
  contentText,
  eventText,
  loweredCap,
  objectOf,
  objectsOf,
  onlyGiven,
  readCount,
  textOf,
  without,
} from './fields.ts'
import { demandsOpenAiCall, lastTools } from './last-tools.ts'

/** Members that the run decides, that make the provider search, or that ask for several answers. */
const removed = [
  'n',
  'best_of',
  'temperature',
  'top_p',
  'reasoning_effort',
  'web_search_options',
  'plugins',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
]
const capNames = ['max_completion_tokens', 'max_tokens']
/** OpenAI's reasoning models refuse `max_tokens`. */
const reasoningModel = /^(?:o\d|gpt-5(?!-chat))/

/** OpenAI's chat completions, which most servers and agents speak. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    if (!Array.isArray(body.messages)) throw new BadRequestError("'messages' is not a list")
    return {
      model: textOf(body.model),
      messages: readMessages(body.messages),
      tools: functionsIn(body),
      forbidsTools: body.tool_choice === 'none',
      maxOutputTokens: readCount(body.max_completion_tokens) ?? readCount(body.max_tokens),
      isStreamed: body.stream === true,
      wantsUsage: objectOf(body.stream_options).include_usage === true,
    }
  },
  forward(body, { model, seed, sampling, maxOutputTokens }) {
    const own = body.max_completion_tokens ?? body.max_tokens
    const isNewName = reasoningModel.test(model) || readCount(body.max_completion_tokens) !== null
    const streamOptions = { ...objectOf(body.stream_options), include_usage: true }
    return {
      ...without(body, [...removed, ...capNames]),
      ...forwardedTools(body),
      ...loweredCap(isNewName ? 'max_completion_tokens' : 'max_tokens', own, maxOutputTokens),
      ...onlyGiven({
        temperature: sampling.temperature,
        top_p: sampling.topP,
        reasoning_effort: sampling.reasoningEffort,
      }),
      model,
      seed,
      ...(body.stream === true ? { stream_options: streamOptions } : {}),
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const messages = objectsOf(body.messages).map(message => {
      const isResult = message.role === 'tool' || message.role === 'function'
      return isResult ? { ...message, content: results.shift() ?? message.content } : message
    })
    const { tools, choice } = lastTools(
      ...[objectsOf(body.tools), demandsOpenAiCall(body.tool_choice), last],
      tool => [textOf(objectOf(tool.function ?? tool.custom).name)],
    )
    return {
      ...body,
      messages: [...messages, { role: 'user', content: last.note }],
      ...(tools.length === 0 ? {} : { tools, tool_choice: choice }),
    }
  },
  write(answer, asked) {
    const parts = partsOf(answer, asked)
    const choice = { index: 0, message: messageOf(parts), logprobs: null, finish_reason: parts.finish }
    return { ...head('chat.completion', asked), choices: [choice], usage: usageOf(parts) }
  },
  stream: (answer, asked) => chunksOf(answer, asked),
  openReader: openChatReader,
  error: (_status, message, code) => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  }),
}

function forwardedTools(body: JsonObject): JsonObject {
  const tools = objectsOf(body.tools).filter(
    tool => (tool.type ?? 'function') === 'function' || tool.type === 'custom',
  )
  if (tools.length === 0) return {}
  const choice = objectOf(body.tool_choice).type
  const isKept =
    choice === undefined || choice === 'function' || choice === 'custom' || choice === 'allowed_tools'
  return {
    tools,
    ...(body.tool_choice !== undefined && isKept ? { tool_choice: body.tool_choice } : {}),
    ...(body.parallel_tool_calls === undefined ? {} : { parallel_tool_calls: body.parallel_tool_calls }),
  }
}

function functionsIn(body: JsonObject): OfferedTool[] {
  const tools = objectsOf(body.tools).map(tool => objectOf(tool.function))
  // The older form, before tools.
  return [...tools, ...objectsOf(body.functions)].flatMap(({ name, description, parameters }) =>
    typeof name === 'string'
      ? [
          {
            name,
            description: textOf(description),
            parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
          },
        ]
      : [],
  )
}

function readMessages(messages: readonly unknown[]) {
  const conversation = new ConversationReader()
  for (const message of messages) {
    if (!isObject(message)) throw new BadRequestError('a message is not an object')
    const text = contentText(message.content)
    conversation.endAnswer()
    switch (message.role) {
      case 'system':
      case 'developer':
        conversation.system(text)
        break
      case 'assistant':
        conversation.assistant({ text, reasoning: reasoningIn(message), calls: callsIn(message) })
        break
      case 'tool':
      case 'function':
        conversation.toolResult(textOf(message.tool_call_id), textOf(message.name), text)
        break
      default:
        conversation.user(text)
    }
  }
  return conversation.done()
}

function reasoningIn(message: JsonObject): string {
  return textOf(message.reasoning_content) || textOf(message.reasoning)
}

function callsIn(message: JsonObject): EarlierCall[] {
  const calls = objectsOf(message.tool_calls).map(
    call => ({ id: call.id, ...objectOf(call.function) }) as JsonObject,
  )
  // The older form, before tools.
  const all = isObject(message.function_call) ? [...calls, message.function_call] : calls
  return all.map(call => ({
    id: textOf(call.id),
    name: textOf(call.name),
    args: argumentsOf(call.arguments),
  }))
}

function head(object: string, asked: AgentRequest): JsonObject {
  return { id: newId('chatcmpl-'), object, created: Math.floor(Date.now() / 1_000), model: asked.model }
}

function messageOf({ text, reasoning, refusal, calls }: AnswerParts): JsonObject {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, json }) => ({
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        }),
  }
}

function usageOf({ usage }: AnswerParts): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function* chunksOf(answer: AIMessage, asked: AgentRequest): Iterable<string> {
  const parts = partsOf(answer, asked)
  const common = head('chat.completion.chunk', asked)
  const withUsage = asked.wantsUsage ? { usage: null } : {}
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    eventText({
      ...common,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...withUsage,
    })
  yield chunk({ role: 'assistant', content: '' })
  if (parts.reasoning !== null) yield chunk({ reasoning_content: parts.reasoning })
  if (parts.text !== '') yield chunk({ content: parts.text })
  if (parts.refusal !== null) yield chunk({ refusal: parts.refusal })
  for (const [index, { id, name, json }] of parts.calls.entries()) {
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: json } }] })
  }
  yield chunk({}, parts.finish)
  if (asked.wantsUsage) yield eventText({ ...common, choices: [], usage: usageOf(parts) })
  yield 'data: [DONE]\n\n'
}
