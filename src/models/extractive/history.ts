import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'

export interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A tool call that was made, with what it answered. */
export interface MadeCall extends ToolCall {
  readonly result: string
}

/** The calls of a conversation with their results, in order; natively or through text with tags. */
export function readHistory(messages: readonly BaseMessage[]): MadeCall[] {
  const results = new Map<string, string>()
  for (const message of messages)
    if (message instanceof ToolMessage) results.set(message.tool_call_id, message.text)
  const made: MadeCall[] = []
  for (const [index, message] of messages.entries()) {
    if (!(message instanceof AIMessage)) continue
    for (const { id, name, args } of message.tool_calls ?? [])
      made.push({ name, args, result: results.get(id ?? '') ?? '' })
    const shown = textResults(messages.slice(index + 1))
    for (const [at, call] of textCalls(message.text).entries())
      made.push({ ...call, result: shown[at] ?? '' })
  }
  return made
}

function textCalls(text: string): ToolCall[] {
  return [...text.matchAll(/<tool_call>\n(.*)\n<\/tool_call>/g)].map(match => {
    const call = JSON.parse(match[1]!) as { name: string; arguments: Record<string, unknown> }
    return { name: call.name, args: call.arguments }
  })
}

/** What the messages up to the next turn of the model show between result tags. */
function textResults(messages: readonly BaseMessage[]): string[] {
  const end = messages.findIndex(message => message instanceof AIMessage)
  const text = messages
    .slice(0, end < 0 ? undefined : end)
    .map(message => message.text)
    .join('\n')
  return text
    .split(/<tool_result name="[^"]*">\n/)
    .slice(1)
    .map(part => part.slice(0, Math.max(0, part.lastIndexOf('\n</tool_result>'))))
}
