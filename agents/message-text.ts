import type { BaseMessage } from '@langchain/core/messages'

/** A message's text. LangChain's own `text` takes even a plain string apart into blocks, for every provider's forms. */
export function messageText(message: BaseMessage): string {
  return typeof message.content === 'string' ? message.content : message.text
}
