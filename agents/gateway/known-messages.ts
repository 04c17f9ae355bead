import type { BaseMessage } from '@langchain/core/messages'
import { storedText } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { sha256 } from '../../src/system/hash.ts'
import { messageText } from '../message-text.ts'
import type { AgentRequest } from './dialects/dialect.ts'

type ReportedMessage = Extract<EventBody, { type: 'model-called' }>['messages'][number]

/** The tokens of a message besides its text: its role and separators. */
const tokensPerMessage = 4

/**
 * The messages of an agent's requests. Each request repeats earlier messages, but each message is counted and reported
 * once.
 */
export class KnownMessages {
  readonly #count: (text: string) => number
  readonly #tokens = new Map<string, number>()
  readonly #reported = new Set<string>()
  /** The hashes of a request's messages, which a call needs several times. */
  readonly #keys = new WeakMap<AgentRequest, readonly string[]>()

  constructor(countTokens: (text: string) => number) {
    this.#count = countTokens
  }

  /** Returns the local count of a request's input tokens. */
  tokensOf(request: AgentRequest): number {
    const { messages } = request
    const keys = this.#keysOf(request)
    const ofMessages = keys.map((key, index) => this.#tokensOf(key, () => countedText(messages[index]!)))
    return ofMessages.reduce((sum, tokens) => sum + tokens + tokensPerMessage, this.tokensOfTools(request))
  }

  /** Returns how many of the input tokens describe the tools. */
  tokensOfTools({ tools }: AgentRequest): number {
    if (tools.length === 0) return 0
    const offered = JSON.stringify(tools)
    return this.#tokensOf(sha256(offered), () => offered)
  }

  /** Returns the messages that the trace does not contain yet, and marks them as reported. */
  takeUnreported(request: AgentRequest, keepText: (text: string) => string): ReportedMessage[] {
    const keys = this.#keysOf(request)
    return request.messages.flatMap((message, index) => {
      const key = keys[index]!
      if (this.#reported.has(key)) return []
      this.#reported.add(key)
      return [reportedMessage(message, keepText)]
    })
  }

  #keysOf(request: AgentRequest): readonly string[] {
    const known =
      this.#keys.get(request) ??
      request.messages.map(message => sha256(`${message.getType()}\n${countedText(message)}`))
    this.#keys.set(request, known)
    return known
  }

  #tokensOf(key: string, text: () => string): number {
    const known = this.#tokens.get(key) ?? this.#count(text())
    this.#tokens.set(key, known)
    return known
  }
}

function countedText(message: BaseMessage): string {
  const calls = 'tool_calls' in message ? JSON.stringify(message.tool_calls) : ''
  return `${messageText(message)}${calls}`
}

const roles: Readonly<Record<string, ReportedMessage['role']>> = {
  system: 'system',
  developer: 'system',
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
}

function reportedMessage(message: BaseMessage, keepText: (text: string) => string): ReportedMessage {
  const callId = 'tool_call_id' in message ? String(message.tool_call_id) : null
  return {
    role: roles[message.getType()] ?? 'user',
    content: storedText(messageText(message), { put: keepText }),
    toolCallId: callId,
  }
}
