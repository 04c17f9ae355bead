import type { BaseMessage } from '@langchain/core/messages'

/** Returns the text of a message. LangChain's own `text` splits even a plain string into blocks, which is slow. */
export function messageText(message: BaseMessage): string {
  return typeof message.content === 'string' ? message.content : message.text
}
