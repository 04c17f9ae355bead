import type { AIMessage } from '@langchain/core/messages'
import { isObject } from '../../../src/text/json.ts'
import { type AnswerParts, newId, partsOf } from './answer-parts.ts'
import { ConversationReader } from './conversation-reader.ts'
import { type AgentRequest, BadRequestError, type Dialect, type JsonObject } from './dialect.ts'
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
import { lastTools } from './last-tools.ts'
import { openMessagesReader } from './messages-reader.ts'

/** Tool types of Anthropic that the agent runs itself. Absent is the same as `custom`. */
const clientTool = /^(?:custom|bash_\d+|text_editor_\d+|memory_\d+)$/
const removed = [
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
      model: textOf(body.model),
      messages: readMessages(body.system, body.messages),
      tools: clientTools(body).map(({ name, description, input_schema }) => ({
        name: textOf(name),
        description: textOf(description),
        parameters: isObject(input_schema) ? input_schema : { type: 'object', properties: {} },
      })),
      forbidsTools: objectOf(body.tool_choice).type === 'none',
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
    const isThinking = objectOf(thinking.thinking).type === 'enabled'
    return {
      ...without(body, removed),
      ...(tools.length === 0
        ? {}
        : { tools, ...(isObject(body.tool_choice) && { tool_choice: body.tool_choice }) }),
      ...cap,
      ...thinking,
      ...onlyGiven({ temperature: isThinking ? null : sampling.temperature, top_p: sampling.topP }),
      model,
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const messages = objectsOf(body.messages).map(message =>
      message.role === 'assistant' || !Array.isArray(message.content)
        ? message
        : { ...message, content: objectsOf(message.content).map(block => withResult(block, results)) },
    )
    const demandsCall = ['any', 'tool'].includes(textOf(objectOf(body.tool_choice).type))
    const { tools, choice } = lastTools(...[clientTools(body), demandsCall, last], ({ name }) => [
      textOf(name),
    ])
    return {
      ...body,
      messages: withNote(messages, last.note),
      ...(tools.length === 0 ? {} : { tools, tool_choice: { type: choice === 'required' ? 'any' : 'none' } }),
    }
  },
  write(answer, asked) {
    const parts = partsOf(answer, asked)
    return {
      ...head(asked),
      content: blocksOf(parts),
      stop_reason: stopReasons[parts.finish],
      stop_sequence: null,
      usage: { ...inputUsage(parts), output_tokens: parts.usage.output },
    }
  },
  stream: (answer, asked) => eventsOf(answer, asked),
  openReader: openMessagesReader,
  error: (_status, message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

function clientTools(body: JsonObject): JsonObject[] {
  return objectsOf(body.tools).filter(tool => clientTool.test(textOf(tool.type ?? 'custom')))
}

function withResult(block: JsonObject, results: (string | null)[]): JsonObject {
  return block.type === 'tool_result' ? { ...block, content: results.shift() ?? block.content } : block
}

/** Adds a note to the last message of the user: roles must alternate. */
function withNote(messages: readonly JsonObject[], note: string): JsonObject[] {
  const last = messages.at(-1)
  const text = { type: 'text', text: note }
  if (last === undefined || last.role === 'assistant') return [...messages, { role: 'user', content: [text] }]
  return [...messages.slice(0, -1), { ...last, content: [...blocksIn(last.content), text] }]
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
    Array.isArray(system) ? objectsOf(system).map(contentText).join('\n\n') : contentText(system),
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
  for (const block of blocksIn(content)) {
    if (block.type === 'thinking') conversation.assistant({ reasoning: textOf(block.thinking) })
    else if (block.type === 'tool_use')
      conversation.assistant({
        calls: [{ id: textOf(block.id), name: textOf(block.name), args: argumentsOf(block.input) }],
      })
    else conversation.assistant({ text: contentText([block]) })
  }
}

/** Reads a message of the user. Its tool results become messages of their own, before its text. */
function readUser(content: unknown, conversation: ConversationReader): void {
  const blocks = blocksIn(content)
  for (const block of blocks)
    if (block.type === 'tool_result')
      conversation.toolResult(textOf(block.tool_use_id), '', contentText(block.content))
  const rest = blocks.filter(block => block.type !== 'tool_result')
  if (rest.length > 0) conversation.user(rest.map(block => contentText([block])).join('\n'))
}

function blocksIn(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

function head(asked: AgentRequest): JsonObject {
  return { id: newId('msg_'), type: 'message', role: 'assistant', model: asked.model }
}

/** Anthropic counts cached input separately. */
function inputUsage({ usage }: AnswerParts): JsonObject {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  }
}

function blocksOf({ text, reasoning, refusal, calls }: AnswerParts): JsonObject[] {
  const shown = refusal ?? text
  return [
    ...(reasoning === null ? [] : [{ type: 'thinking', thinking: reasoning, signature: '' }]),
    ...(shown === '' && calls.length > 0 ? [] : [{ type: 'text', text: shown }]),
    ...calls.map(({ id, name, json }) => ({ type: 'tool_use', id, name, input: argumentsOf(json) })),
  ]
}

function* eventsOf(answer: AIMessage, asked: AgentRequest): Iterable<string> {
  const parts = partsOf(answer, asked)
  const event = (type: string, fields: JsonObject): string => eventText({ type, ...fields }, type)
  const message = { ...head(asked), content: [], stop_reason: null, stop_sequence: null }
  yield event('message_start', { message: { ...message, usage: { ...inputUsage(parts), output_tokens: 1 } } })
  for (const [index, block] of blocksOf(parts).entries()) {
    const [begun, delta] = beginningOf(block)
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
function beginningOf(block: JsonObject): readonly [JsonObject, JsonObject] {
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
