import { HumanMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { withAnthropicFiles } from '../../src/models/anthropic-messages.ts'

it('writes files as documents with a media type and a title, and leaves other messages as they are', () => {
  const plain = new HumanMessage('x')
  const file = { type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: 'AAAA' }
  const content = [
    { ...file, metadata: { filename: 'a.pdf' } },
    { type: 'text', text: 'x' },
  ] as never
  const [first, second] = withAnthropicFiles([plain, new HumanMessage({ content })])
  expect(first).toBe(plain)
  expect(second?.content).toEqual([
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      title: 'a.pdf',
    },
    { type: 'text', text: 'x' },
  ])
})
