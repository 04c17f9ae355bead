import type { BaseMessage } from '@langchain/core/messages'

/** One turn of the rule-based model. */
export interface Turn {
  readonly text: string
  readonly toolCalls: readonly { readonly name: string; readonly args: Record<string, unknown> }[]
}

export function respond(messages: readonly BaseMessage[], tools: readonly string[]): Turn {
  return { text: `${messages.length} ${tools.length}`, toolCalls: [] }
}
