import type { BaseMessage } from '@langchain/core/messages'
import { countTokensCheaply } from './token-count.ts'

const counted = new WeakMap<BaseMessage, number>()

/** The cheap local count of a conversation: what the built-in models bill for their input. Each message is counted once. */
export function countMessageTokens(messages: readonly BaseMessage[]): number {
  let total = 0
  for (const message of messages) {
    let tokens = counted.get(message)
    if (tokens === undefined) {
      tokens = countTokensCheaply(message.text) + 4
      counted.set(message, tokens)
    }
    total += tokens
  }
  return total
}
