import { type BaseMessage, HumanMessage } from '@langchain/core/messages'

interface FileBlock {
  readonly type: 'file'
  readonly mime_type: string
  readonly data: string
  readonly metadata?: { readonly filename?: string }
}

/**
 * Returns messages whose files are blocks of Anthropic's API. LangChain's package (1.5.11) sends a file in LangChain's own
 * form twice, once without its media type.
 */
export function withAnthropicFiles(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map(message => {
    const { content } = message
    if (!(message instanceof HumanMessage) || typeof content === 'string') return message
    if (!content.some(block => block.type === 'file')) return message
    const blocks = content.map(block =>
      block.type === 'file' ? documentBlock(block as unknown as FileBlock) : block,
    )
    return new HumanMessage({ content: blocks as never })
  })
}

function documentBlock({ mime_type, data, metadata }: FileBlock): Record<string, unknown> {
  const title = metadata?.filename
  return {
    type: 'document',
    source: { type: 'base64', media_type: mime_type, data },
    ...(title === undefined ? {} : { title }),
  }
}
