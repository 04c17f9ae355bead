import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { ModelCallOptions } from '../../core/model.ts'
import { isObject, jsonOrNull } from '../../text/json.ts'
import { readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import { openAiReasoningModel } from '../maker-advice.ts'
import { isReasoning, readReasoningFields, reasoningFields } from '../model-answer.ts'
import { toolSchema } from '../tool-schema.ts'
import {
  type AnswerParts,
  createMessage,
  emptyAnswer,
  newId,
  splitAnswer,
  type WrittenCall,
} from './answer-parts.ts'
import { ConversationReader, type EarlierCall } from './conversation-reader.ts'
import {
  type AgentRequest,
  type AnswerReader,
  type AnswerRecipient,
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
  readText,
  without,
  withoutNulls,
} from './fields.ts'

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
      ...without(body, [...removed, ...capNames]),
      ...forwardTools(body),
      ...loweredCap(isNewName ? 'max_completion_tokens' : 'max_tokens', cap, maxOutputTokens),
      ...withoutNulls({
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
    const messages = readObjects(body.messages).map(message => {
      const isResult = message.role === 'tool' || message.role === 'function'
      return isResult ? { ...message, content: results.shift() ?? message.content } : message
    })
    const { tools, choice } = lastTools(
      ...[readObjects(body.tools), demandsOpenAiCall(body.tool_choice), last],
      tool => [readText(readObject(tool.function ?? tool.custom).name)],
    )
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
  error: (_status, message, code) => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  }),
}

function forwardTools(body: JsonObject): JsonObject {
  const tools = readObjects(body.tools).filter(
    tool => (tool.type ?? 'function') === 'function' || tool.type === 'custom',
  )
  if (tools.length === 0) return {}
  const choice = readObject(body.tool_choice).type
  const isKept =
    choice === undefined || choice === 'function' || choice === 'custom' || choice === 'allowed_tools'
  return {
    tools,
    ...(body.tool_choice !== undefined && isKept ? { tool_choice: body.tool_choice } : {}),
    ...(body.parallel_tool_calls === undefined ? {} : { parallel_tool_calls: body.parallel_tool_calls }),
  }
}

function readTools(body: JsonObject): DescribedTool[] {
  const tools = readObjects(body.tools).map(tool => readObject(tool.function))
  // The older form, before tools.
  return [...tools, ...readObjects(body.functions)].flatMap(({ name, description, parameters }) =>
    typeof name === 'string'
      ? [
          {
            name,
            description: readText(description),
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
    ...(tool_calls.length > 0 && { tool_calls: tool_calls.map(call => writeCall(call)) }),
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

function writeCall({
  id,
  name,
  args,
}: {
  readonly id?: string | undefined
  readonly name: string
  readonly args: unknown
}): JsonObject {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

function writeHead(object: string, { model }: AgentRequest): JsonObject {
  return { id: newId('chatcmpl-'), object, created: Math.floor(Date.now() / 1_000), model }
}

function writeAnswer({ text, reasoning, refusal, calls }: AnswerParts): JsonObject {
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
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: json } }] })
  }
  yield chunk({}, parts.finish)
  if (request.wantsUsage) yield eventText({ ...common, choices: [], usage: writeUsage(parts) })
  yield 'data: [DONE]\n\n'
}

/**
 * Reads chat completions: one body, or the chunks of a stream. Only the first choice counts. It accepts these mistakes of
 * servers:
 * - content in parts or as an object, a refusal among the parts;
 * - calls without the member `function`, or in the old member `function_call`;
 * - calls without an id or with the id of another call;
 * - arguments that are an object, empty, `null` or encoded twice.
 */
export function openChatReader({ model, isStreamed, wantsUsage }: AnswerRecipient): AnswerReader {
  const collected = emptyAnswer()
  const reasoning: Record<string, unknown> = {}
  const calls: { id: string; name: string; json: string }[] = []
  let isRead = false
  const readCall = (delta: JsonObject, place: number): void => {
    const call = (calls[place] ??= { id: '', name: '', json: '' })
    const called = isObject(delta.function) ? delta.function : delta
    const id = typeof delta.id === 'number' ? String(delta.id) : readText(delta.id)
    if (id !== '') call.id = id
    // Some servers repeat the name in every chunk.
    if (readText(called.name) !== '') call.name = readText(called.name)
    const args = called.arguments ?? ''
    call.json += typeof args === 'string' ? args : JSON.stringify(args)
  }
  const readMessage = (message: JsonObject, isDelta: boolean): void => {
    collected.text += answerText(message.content)
    collected.refusal += readText(message.refusal) || refusalIn(message.content)
    addReasoning(reasoning, message)
    const list = Array.isArray(message.tool_calls) ? message.tool_calls.map(readObject) : []
    if (list.length === 0 && isObject(message.function_call)) list.push({ function: message.function_call })
    for (const call of list) {
      const { index } = call
      readCall(call, isDelta && typeof index === 'number' && index < 1_000 ? index : calls.length)
    }
  }
  return {
    take(part) {
      if (isObject(part.usage)) collected.usage = reconcileUsage(readTokens(part.usage)) ?? collected.usage
      const choices = readObjects(part.choices)
      const choice = choices.find(({ index = 0 }) => (index ?? 0) === 0)
      if (choice !== undefined) {
        // Gemini leaves the message out when its model ends without any text.
        const message = choice.delta ?? choice.message
        isRead ||= isObject(message) || typeof choice.finish_reason === 'string'
        readMessage(readObject(message), isObject(choice.delta))
        // Some versions of SGLang send { "type": "stop" }.
        const finish = isObject(choice.finish_reason) ? choice.finish_reason.type : choice.finish_reason
        if (typeof finish === 'string' && finish !== '') collected.finishReason = finish
      }
      const shown = 'model' in part ? { ...part, model } : part
      if (!isStreamed || wantsUsage || !('usage' in part)) return shown
      // The client did not ask for the usage, and may not expect a chunk without a choice.
      return choices.length === 0 ? null : without(shown, ['usage'])
    },
    isComplete: () => collected.finishReason !== null,
    answer: () => (isRead ? createMessage({ ...collected, calls: repairCalls(calls) }, reasoning) : null),
  }
}

/** Gives each call an id of its own, and arguments in a form that servers take back. */
function repairCalls(calls: readonly WrittenCall[]): WrittenCall[] {
  const seenIds = new Set<string>()
  return calls
    .filter(call => call !== undefined)
    .map(({ id, name, json }, index) => {
      const uniqueId = id !== '' && !seenIds.has(id) ? id : `call_${index}_${seenIds.size}`
      seenIds.add(uniqueId)
      return { id: uniqueId, name, json: plainArguments(json) }
    })
}

function plainArguments(json: string): string {
  const text = json.trim()
  // Servers refuse `null` when they get it back.
  if (text === '' || text === 'null') return '{}'
  const inner = text.startsWith('"') ? jsonOrNull(text) : null
  // Invalid JSON is reported to the agent unchanged.
  return typeof inner === 'string' ? plainArguments(inner) : json
}

function answerText(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return JSON.stringify(content)
  if (!Array.isArray(content)) return ''
  return content.map(part => (typeof part === 'string' ? part : readText(readObject(part).text))).join('')
}

function refusalIn(content: unknown): string {
  return readText(readObjects(content).find(part => part.type === 'refusal')?.refusal)
}

/** Adds the reasoning of a message or a chunk. Structured reasoning comes in pieces with one index. */
function addReasoning(reasoning: Record<string, unknown>, message: JsonObject): void {
  for (const field of reasoningFields) {
    const value = message[field] ?? null
    if (value === null) continue
    const before = reasoning[field]
    if (typeof value === 'string' && typeof before === 'string') reasoning[field] = before + value
    else if (Array.isArray(value) && Array.isArray(before))
      for (const detail of value) addDetail(before, detail)
    else reasoning[field] = structuredClone(value)
  }
}

function addDetail(details: Record<string, unknown>[], detail: unknown): void {
  if (!isObject(detail)) return
  const earlierDetail = details.find(({ index, type }) => index === detail.index && type === detail.type)
  if (earlierDetail === undefined || detail.index === undefined) return void details.push({ ...detail })
  for (const [name, value] of Object.entries(detail))
    if (['text', 'summary', 'data'].includes(name) && typeof value === 'string')
      earlierDetail[name] = readText(earlierDetail[name]) + value
    else if (value !== null) earlierDetail[name] = value
}
