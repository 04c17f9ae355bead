import type { AIMessage } from '@langchain/core/messages'
import { isObject, withoutNull } from '../../text/json.ts'
import { type BilledUsage, readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import { type AnswerParts, createEmptyAnswer, createMessage, newId, splitAnswer } from './answer-parts.ts'
import { ConversationReader } from './conversation-reader.ts'
import {
  type AgentRequest,
  type AnswerReader,
  BadRequestError,
  type Dialect,
  type JsonObject,
} from './dialect.ts'
import {
  contentText,
  eventText,
  lastTools,
  loweredCap,
  readArguments,
  readCount,
  readObject,
  readObjects,
  readSchema,
  readText,
  without,
} from './fields.ts'

/** Tool types of Anthropic that the agent runs itself. Absent is the same as `custom`. */
const clientTool = /^(?:custom|bash_\d+|text_editor_\d+|memory_\d+)$/
const removedMembers = [
  'mcp_servers',
  'container',
  'tools',
  'tool_choice',
  'thinking',
  'max_tokens',
  'temperature',
  'top_p',
]
/** Anthropic's smallest budget for thinking, in tokens. */
const leastThinking = 1_024

/** Anthropic's messages. */
export const messages: Dialect = {
  name: 'messages',
  path: /^\/v1\/messages$/,
  read(body) {
    if (!Array.isArray(body.messages)) throw new BadRequestError("'messages' is not a list")
    return {
      model: readText(body.model),
      messages: readMessages(body.system, body.messages),
      tools: clientTools(body).map(({ name, description, input_schema }) => ({
        name: readText(name),
        description: readText(description),
        parameters: readSchema(input_schema),
      })),
      forbidsTools: readObject(body.tool_choice).type === 'none',
      maxOutputTokens: readCount(body.max_tokens),
      isStreamed: body.stream === true,
      wantsUsage: true,
    }
  },
  // This API takes no seed.
  forward(body, { model, sampling, maxOutputTokens }) {
    const tools = clientTools(body)
    const cap = loweredCap('max_tokens', body.max_tokens, maxOutputTokens)
    const thinking = thinkingWithin(body.thinking, readCount(cap.max_tokens))
    // With thinking, this API refuses a temperature.
    const isThinking = readObject(thinking.thinking).type === 'enabled'
    return {
      ...without(body, removedMembers),
      ...(tools.length === 0
        ? {}
        : { tools, ...(isObject(body.tool_choice) && { tool_choice: body.tool_choice }) }),
      ...cap,
      ...thinking,
      ...withoutNull({ temperature: isThinking ? null : sampling.temperature, top_p: sampling.topP }),
      model,
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const messages = readObjects(body.messages).map(message =>
      message.role === 'assistant' || !Array.isArray(message.content)
        ? message
        : { ...message, content: readObjects(message.content).map(block => withResult(block, results)) },
    )
    const demandsCall = ['any', 'tool'].includes(readText(readObject(body.tool_choice).type))
    const readNames = ({ name }: JsonObject): string[] => [readText(name)]
    const { tools, choice } = lastTools(clientTools(body), demandsCall, last, readNames)
    return {
      ...body,
      messages: withNote(messages, last.note),
      ...(tools.length === 0 ? {} : { tools, tool_choice: { type: choice === 'required' ? 'any' : 'none' } }),
    }
  },
  write(answer, request) {
    const parts = splitAnswer(answer, request)
    return {
      ...head(request),
      content: writeBlocks(parts),
      stop_reason: stopReasons[parts.finish],
      stop_sequence: null,
      usage: { ...inputUsage(parts), output_tokens: parts.usage.output },
    }
  },
  stream: writeEvents,
  openReader: ({ model }, isStreamed) => new MessagesReader(model, isStreamed),
  error: (_status, message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

function clientTools(body: JsonObject): JsonObject[] {
  return readObjects(body.tools).filter(tool => clientTool.test(readText(tool.type ?? 'custom')))
}

function withResult(block: JsonObject, results: (string | null)[]): JsonObject {
  return block.type === 'tool_result' ? { ...block, content: results.shift() ?? block.content } : block
}

/** Adds a note to the last message of the user: roles must alternate. */
function withNote(messages: readonly JsonObject[], note: string): JsonObject[] {
  const last = messages.at(-1)
  const text = { type: 'text', text: note }
  if (last === undefined || last.role === 'assistant') return [...messages, { role: 'user', content: [text] }]
  return [...messages.slice(0, -1), { ...last, content: [...readBlocks(last.content), text] }]
}

/** Returns the settings of thinking for an output cap, which includes the thinking. */
function thinkingWithin(thinking: unknown, cap: number | null): JsonObject {
  if (!isObject(thinking)) return {}
  const budget = readCount(thinking.budget_tokens)
  if (budget === null || cap === null || budget < cap) return { thinking }
  return cap <= leastThinking
    ? {}
    : { thinking: { ...thinking, budget_tokens: Math.max(leastThinking, cap - 1) } }
}

function readMessages(system: unknown, list: readonly unknown[]) {
  const conversation = new ConversationReader()
  conversation.system(
    Array.isArray(system) ? readObjects(system).map(contentText).join('\n\n') : contentText(system),
  )
  for (const message of list) {
    if (!isObject(message)) throw new BadRequestError('a message is not an object')
    if (message.role === 'assistant') readAnswer(message.content, conversation)
    else if (message.role === 'system') conversation.system(contentText(message.content))
    else readUser(message.content, conversation)
  }
  return conversation.done()
}

function readAnswer(content: unknown, conversation: ConversationReader): void {
  conversation.endAnswer()
  for (const block of readBlocks(content)) {
    if (block.type === 'thinking') conversation.assistant({ reasoning: readText(block.thinking) })
    else if (block.type === 'tool_use')
      conversation.assistant({
        calls: [{ id: readText(block.id), name: readText(block.name), args: readArguments(block.input) }],
      })
    else conversation.assistant({ text: contentText([block]) })
  }
}

/** Reads a message of the user. Its tool results become messages of their own, before its text. */
function readUser(content: unknown, conversation: ConversationReader): void {
  const blocks = readBlocks(content)
  for (const block of blocks)
    if (block.type === 'tool_result')
      conversation.toolResult(readText(block.tool_use_id), '', contentText(block.content))
  const rest = blocks.filter(block => block.type !== 'tool_result')
  if (rest.length > 0) conversation.user(rest.map(block => contentText([block])).join('\n'))
}

function readBlocks(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : readObjects(content)
}

function head(request: AgentRequest): JsonObject {
  return { id: newId('msg_'), type: 'message', role: 'assistant', model: request.model }
}

/** Anthropic counts cached input separately. */
function inputUsage({ usage }: AnswerParts): JsonObject {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  }
}

function writeBlocks({ text, reasoning, refusal, calls }: AnswerParts): JsonObject[] {
  const shown = refusal ?? text
  return [
    ...(reasoning === null ? [] : [{ type: 'thinking', thinking: reasoning, signature: '' }]),
    ...(shown === '' && calls.length > 0 ? [] : [{ type: 'text', text: shown }]),
    ...calls.map(({ id, name, json }) => ({ type: 'tool_use', id, name, input: readArguments(json) })),
  ]
}

function* writeEvents(answer: AIMessage, request: AgentRequest): Iterable<string> {
  const parts = splitAnswer(answer, request)
  const event = (type: string, fields: JsonObject): string => eventText({ type, ...fields }, type)
  const message = { ...head(request), content: [], stop_reason: null, stop_sequence: null }
  yield event('message_start', { message: { ...message, usage: { ...inputUsage(parts), output_tokens: 1 } } })
  for (const [index, block] of writeBlocks(parts).entries()) {
    const [begun, delta] = splitBlock(block)
    yield event('content_block_start', { index, content_block: begun })
    yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index })
  }
  yield event('message_delta', {
    delta: { stop_reason: stopReasons[parts.finish], stop_sequence: null },
    usage: { output_tokens: parts.usage.output },
  })
  yield event('message_stop', {})
}

/** A block as it is announced, and the event that completes it. */
function splitBlock(block: JsonObject): readonly [JsonObject, JsonObject] {
  switch (block.type) {
    case 'thinking':
      return [
        { ...block, thinking: '' },
        { type: 'thinking_delta', thinking: block.thinking },
      ]
    case 'tool_use':
      return [
        { ...block, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      ]
    default:
      return [
        { ...block, text: '' },
        { type: 'text_delta', text: block.text },
      ]
  }
}

/** Reads Anthropic's messages: one body, or the events of a stream. */
class MessagesReader implements AnswerReader {
  readonly #model: string
  readonly #isStreamed: boolean
  readonly #collected = createEmptyAnswer()
  readonly #calls = new Map<unknown, { id: string; name: string; json: string }>()
  #usage: JsonObject = {}
  #isRead = false
  #isComplete = false

  constructor(model: string, isStreamed: boolean) {
    this.#model = model
    this.#isStreamed = isStreamed
  }

  take(part: JsonObject): JsonObject {
    if (this.#isStreamed) this.#takeEvent(part)
    else if (Array.isArray(part.content)) {
      this.#addMessage(part)
      this.#isComplete = true
    }
    const model = this.#model
    if (isObject(part.message)) return { ...part, message: { ...part.message, model } }
    return 'model' in part ? { ...part, model } : part
  }

  isComplete(): boolean {
    return this.#isComplete
  }

  answer(): AIMessage | null {
    if (!this.#isRead) return null
    // The first event reports the input tokens only.
    const usage = this.#isComplete ? readUsage(this.#usage) : null
    return createMessage({ ...this.#collected, calls: [...this.#calls.values()], usage })
  }

  #takeEvent(part: JsonObject): void {
    const { type, index } = part
    if (type === 'message_start') this.#addMessage(readObject(part.message))
    else if (type === 'content_block_start') this.#addBlock(index, readObject(part.content_block))
    else if (type === 'content_block_delta') this.#addDelta(index, readObject(part.delta))
    else if (type === 'message_delta') this.#addEnd(part.usage, readObject(part.delta).stop_reason)
    else if (type === 'message_stop') this.#isComplete = true
  }

  #addMessage(message: JsonObject): void {
    this.#isRead = true
    for (const [index, block] of readObjects(message.content).entries()) this.#addBlock(index, block)
    this.#addEnd(message.usage, message.stop_reason)
  }

  #addBlock(index: unknown, block: JsonObject): void {
    if (block.type === 'text') this.#collected.text += readText(block.text)
    else if (block.type === 'thinking') this.#collected.reasoning += readText(block.thinking)
    else if (block.type === 'tool_use') {
      const input = readObject(block.input)
      // A streamed block begins without its input.
      const json = Object.keys(input).length === 0 ? '' : JSON.stringify(input)
      this.#calls.set(index, { id: readText(block.id), name: readText(block.name), json })
    }
  }

  #addDelta(index: unknown, delta: JsonObject): void {
    this.#collected.text += readText(delta.text)
    this.#collected.reasoning += readText(delta.thinking)
    const call = this.#calls.get(index)
    if (call !== undefined) call.json += readText(delta.partial_json)
  }

  #addEnd(usage: unknown, stopReason: unknown): void {
    this.#usage = { ...this.#usage, ...readObject(usage) }
    this.#collected.finishReason = readText(stopReason) || this.#collected.finishReason
  }
}

/** Anthropic counts cached input separately, and reports no total. */
function readUsage(usage: JsonObject): BilledUsage | null {
  const tokens = readTokens(usage)
  const { prompt, cached, written } = tokens
  const input = prompt === null ? null : prompt + (cached ?? 0) + (written ?? 0)
  return reconcileUsage({ ...tokens, prompt: input, isCacheBeside: false })
}
