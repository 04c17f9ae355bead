import { isObject } from '../../src/text/json.ts'
import { splitThinking } from '../../src/text/thinking.ts'
import { type ChatMessage, chatMessageSchema, readConversation } from './chat-messages.ts'
import { type ForeignCall, type ForeignMessage, unreportedTurn } from './foreign-log.ts'
import { readArguments, readContent } from './message-parts.ts'
import type { MiroLog } from './miro-log.ts'
import { guessToolKind } from './tool-kinds.ts'

const toolTag = /<use_mcp_tool>([\s\S]*?)(?:<\/use_mcp_tool>|$)/g

function tagged(text: string, name: string): string {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]?.trim() ?? ''
}

/** Reads the calls in `<use_mcp_tool>` tags. Servers are ignored, because their names may suggest another kind of tool. */
function callsInTags(text: string, step: number): ForeignCall[] {
  return [...text.matchAll(toolTag)].map(([, body = ''], index) => ({
    id: `call-${step}-${index}`,
    name: tagged(body, 'tool_name') || 'unnamed',
    args: readArguments(tagged(body, 'arguments')),
  }))
}

/** Splits results that the writer joined by line feeds, if they are JSON. Any other text is the result of the first call. */
function splitResults(text: string, count: number): string[] {
  if (count < 2) return [text]
  const parts = text.split(/\n(?=\{)/)
  return parts.length === count ? parts : [text]
}

/** Reads a conversation whose calls are tags in texts. The results are the next message of the user. */
function readTagged(history: readonly ChatMessage[]): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let waiting: readonly ForeignCall[] = []
  for (const [step, message] of history.entries()) {
    const { text, reasoning } = readContent(message.content)
    if (message.role === 'assistant') {
      const calls = callsInTags(text, step)
      const { text: answer, thought } = splitThinking(text)
      const spokenText = answer.replace(toolTag, '').trim()
      messages.push({
        role: 'assistant',
        text: spokenText,
        calls,
        ...unreportedTurn,
        reasoning: thought || reasoning,
      })
      waiting = calls
    } else if (message.role === 'user' && waiting.length > 0) {
      for (const [at, result] of splitResults(text, waiting.length).entries()) {
        const call = waiting[at]!
        messages.push({ role: 'tool', callId: call.id, tool: call.name, text: result, error: null, at: null })
      }
      waiting = []
    } else messages.push({ role: message.role === 'system' ? 'system' : 'user', text })
  }
  return messages
}

/** Returns the name of a tool. MiroFlow writes `SERVER-TOOL` in calls in OpenAI's form. */
function withoutServer(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1)
}

function readHistory(history: unknown): ForeignMessage[] {
  if (!isObject(history) || !Array.isArray(history.message_history)) return []
  const parsed = history.message_history
    .map(message => chatMessageSchema.safeParse(message).data)
    .filter(message => message !== undefined)
  if (parsed.every(message => message.role !== 'tool' && (message.tool_calls ?? []).length === 0))
    return readTagged(parsed)
  return readConversation(parsed).map(message => {
    if (message.role === 'tool') return { ...message, tool: withoutServer(message.tool) }
    if (message.role !== 'assistant') return message
    return { ...message, calls: message.calls.map(call => ({ ...call, name: withoutServer(call.name) })) }
  })
}

/** Reads the conversation of the main agent, and those of its helpers. */
export function readMiroMessages(record: MiroLog): {
  readonly main: ForeignMessage[]
  readonly helpers: ForeignMessage[][]
} {
  const sessions = record.sub_agent_message_history_sessions
  return {
    main: readHistory(record.main_agent_message_history),
    helpers: (isObject(sessions) ? Object.values(sessions) : []).map(readHistory),
  }
}

/**
 * Puts the conversation of each helper before the result of the call that started it. A helper whose call is not found
 * comes last.
 */
export function withHelpers(
  main: readonly ForeignMessage[],
  helpers: readonly ForeignMessage[][],
): ForeignMessage[] {
  const waiting = [...helpers]
  const joined = main.flatMap(message => {
    const isHelpers =
      message.role === 'tool' && guessToolKind(message.tool) === null && /agent|subtask/i.test(message.tool)
    return isHelpers && waiting.length > 0 ? [...(waiting.shift() ?? []), message] : [message]
  })
  return [...joined, ...waiting.flat()]
}
