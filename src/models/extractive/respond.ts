import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { answer } from '../reading/answer.ts'
import { readAsked } from '../reading/asked.ts'
import { readHistory, type ToolCall } from './history.ts'
import { searchOn } from './search.ts'

/** One turn of the rule-based model: tool calls, or the answer. */
export interface Turn {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
}

/**
 * What the rule-based model says next. With contents in the prompt it answers; else it searches as long as something is
 * left to try, natively or through text where the conversation describes tools with tags. The same messages always get
 * the same turn.
 */
export function respond(messages: readonly BaseMessage[], tools: readonly string[]): Turn {
  const users = messages.filter(message => message instanceof HumanMessage)
  const asked = readAsked(users[0]?.text ?? '')
  if (asked.documents !== null) return { text: answer(asked, asked.documents, []), toolCalls: [] }
  const { calls, documents, notes } = searchOn(asked.names, readHistory(messages))
  const told = messages.at(-1)
  const mustAnswer = told instanceof HumanMessage && /^(?:Answer now|请立即作答)/.test(told.text)
  const throughText =
    tools.length === 0 &&
    messages.some(message => !(message instanceof AIMessage) && message.text.includes('<tool_call>'))
  if (calls.length === 0 || mustAnswer || (tools.length === 0 && !throughText)) {
    return { text: answer(asked, documents, notes), toolCalls: [] }
  }
  if (!throughText) return { text: '', toolCalls: calls }
  const written = calls.map(
    call => `<tool_call>\n${JSON.stringify({ name: call.name, arguments: call.args })}\n</tool_call>`,
  )
  return { text: written.join('\n'), toolCalls: [] }
}
