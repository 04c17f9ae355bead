import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ModelCallOptions } from '../../core/model.ts'
import { isObject } from '../../text/json.ts'
import { openAiReasoningModel } from '../maker-advice.ts'
import { isReasoning, readReasoningFields } from '../model-answer.ts'
import { toolSchema } from '../tool-schema.ts'
import { type AnswerParts, newId, splitAnswer } from './answer-parts.ts'
import { openChatReader } from './chat-completions-reader.ts'
import { ConversationReader, type EarlierCall } from './conversation-reader.ts'
import {
  type AgentRequest,
  BadRequestError,
  type DescribedTool,
  type Dialect,
  type JsonObject,
} from './dialect.ts'
import {
  contentText,
  demandsOpenAiCall,
  eventText,
  lastTools,
  loweredCap,
  readArguments,
  readCount,
  readObject,
  readObjects,
  readSchema,
  readText,
  toolMembers,
  without,
  writeOpenAiError,
  writeSampling,
} from './fields.ts'

/** Members that the run decides, that make the provider search, or that ask for several answers. */
const removedMembers = [
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

/** OpenAI's chat completions, which most servers and agents speak. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    if (!Array.isArray(body.messages)) throw new BadRequestError("'messages' is not a list")
    return {
      model: readText(body.model),
      messages: readMessages(body.messages),
      tools: readTools(body),
      forbidsTools: body.tool_choice === 'none',
      maxOutputTokens: readCount(body.max_completion_tokens) ?? readCount(body.max_tokens),
      isStreamed: body.stream === true,
      wantsUsage: readObject(body.stream_options).include_usage === true,
    }
  },
  forward(body, { model, seed, sampling, maxOutputTokens }) {
    const cap = body.max_completion_tokens ?? body.max_tokens
    const isNewName = openAiReasoningModel.test(model) || readCount(body.max_completion_tokens) !== null
    const streamOptions = { ...readObject(body.stream_options), include_usage: true }
    return {
      ...without(body, [...removedMembers, ...capNames]),
      ...forwardTools(body),
      ...loweredCap(isNewName ? 'max_completion_tokens' : 'max_tokens', cap, maxOutputTokens),
      ...writeSampling(sampling),
      model,
      seed,
      ...(body.stream === true ? { stream_options: streamOptions } : {}),
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const messages = readObjects(body.messages).map(message => {
      const isResult = message.role === 'tool' || message.role === 'function'
      return isResult ? { ...message, content: results.shift() ?? message.content } : message
    })
    const readNames = (tool: JsonObject): string[] => [
      readText(readObject(tool.function ?? tool.custom).name),
    ]
    const demandsCall = demandsOpenAiCall(body.tool_choice)
    const { tools, choice } = lastTools(readObjects(body.tools), demandsCall, last, readNames)
    return {
      ...body,
      messages: [...messages, { role: 'user', content: last.note }],
      ...(tools.length === 0 ? {} : { tools, tool_choice: choice }),
    }
  },
  write(answer, request) {
    const parts = splitAnswer(answer, request)
    const choice = { index: 0, message: writeAnswer(parts), logprobs: null, finish_reason: parts.finish }
    return { ...writeHead('chat.completion', request), choices: [choice], usage: writeUsage(parts) }
  },
  stream: writeChunks,
  openReader: openChatReader,
  error: writeOpenAiError,
}

function forwardTools(body: JsonObject): JsonObject {
  const tools = readObjects(body.tools).filter(
    tool => (tool.type ?? 'function') === 'function' || tool.type === 'custom',
  )
  const choice = readObject(body.tool_choice).type
  const isKept =
    choice === undefined || choice === 'function' || choice === 'custom' || choice === 'allowed_tools'
  return toolMembers(body, tools, isKept)
}

function readTools(body: JsonObject): DescribedTool[] {
  const tools = readObjects(body.tools).map(tool => readObject(tool.function))
  // The older form, before tools.
  return [...tools, ...readObjects(body.functions)].flatMap(({ name, description, parameters }) =>
    typeof name === 'string'
      ? [{ name, description: readText(description), parameters: readSchema(parameters) }]
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
      case 'assistant': {
        const reasoning = readText(message.reasoning_content) || readText(message.reasoning)
        conversation.assistant({ text, reasoning, calls: readEarlierCalls(message) })
        break
      }
      case 'tool':
      case 'function':
        conversation.toolResult(readText(message.tool_call_id), readText(message.name), text)
        break
      default:
        conversation.user(text)
    }
  }
  return conversation.done()
}

function readEarlierCalls(message: JsonObject): EarlierCall[] {
  const calls = readObjects(message.tool_calls).map(
    call => ({ id: call.id, ...readObject(call.function) }) as JsonObject,
  )
  // The older form, before tools.
  if (isObject(message.function_call)) calls.push(message.function_call)
  return calls.map(call => ({
    id: readText(call.id),
    name: readText(call.name),
    args: readArguments(call.arguments),
  }))
}

/** Writes the messages, tools and form of the answer of a request to the model under test. */
export function writeChatRequest(
  model: string,
  messages: readonly BaseMessage[],
  { tools, toolChoice, responseSchema }: ModelCallOptions,
): JsonObject {
  const json_schema = { name: 'answer', strict: true, schema: responseSchema }
  return {
    model,
    messages: messages.map(message => writeMessage(message, model)),
    ...(tools.length > 0 && {
      tools: tools.map(tool => ({
        type: 'function',
        function: { name: tool.name, description: tool.description, parameters: toolSchema(tool) },
      })),
      ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    }),
    ...(responseSchema !== undefined && { response_format: { type: 'json_schema', json_schema } }),
  }
}

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

/** Writes a message. The reasoning of an earlier answer is sent in the fields in which it came. */
function writeMessage(message: BaseMessage, model: string): JsonObject {
  const type = message.getType()
  const { tool_calls = [] } = message as AIMessage
  const isDeveloper = type === 'system' && openAiReasoningModel.test(model)
  return {
    role: isDeveloper ? 'developer' : (roles[type] ?? type),
    content: writeContent(message.content),
    ...(message.name !== undefined && { name: message.name }),
    ...('tool_call_id' in message && { tool_call_id: message.tool_call_id }),
    ...(tool_calls.length > 0 && {
      tool_calls: tool_calls.map(({ id, name, args }) => writeCall(id, name, JSON.stringify(args))),
    }),
    ...(type === 'ai' && readReasoningFields(message)),
  }
}

function writeContent(content: BaseMessage['content']): unknown {
  if (typeof content === 'string') return content
  const blocks = content as readonly JsonObject[]
  return blocks.flatMap(block => {
    if (isReasoning(block) || block.type === 'tool_use' || block.type === 'tool_call') return []
    return block.type === 'file' ? [writeFile(block)] : [block]
  })
}

/** Writes a file in LangChain's standard form as a file of chat completions. */
function writeFile({ mime_type, data, metadata }: JsonObject): JsonObject {
  const { filename } = readObject(metadata)
  return { type: 'file', file: { file_data: `data:${mime_type};base64,${data}`, filename } }
}

function writeCall(id: string | undefined, name: string, json: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: json } }
}

function writeHead(object: string, { model }: AgentRequest): JsonObject {
  return { id: newId('chatcmpl-'), object, created: Math.floor(Date.now() / 1_000), model }
}

function writeAnswer({ text, reasoning, refusal, calls }: AnswerParts): JsonObject {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal,
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(({ id, name, json }) => writeCall(id, name, json)) }),
  }
}

function writeUsage({ usage }: AnswerParts): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function* writeChunks(answer: AIMessage, request: AgentRequest): Iterable<string> {
  const parts = splitAnswer(answer, request)
  const common = writeHead('chat.completion.chunk', request)
  const withUsage = request.wantsUsage ? { usage: null } : {}
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
    yield chunk({ tool_calls: [{ index, ...writeCall(id, name, '') }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: json } }] })
  }
  yield chunk({}, parts.finish)
  if (request.wantsUsage) yield eventText({ ...common, choices: [], usage: writeUsage(parts) })
  yield 'data: [DONE]\n\n'
}
