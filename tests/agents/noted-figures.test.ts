import { AIMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { shortenToolResults } from '../../agents/context-policies/shorten-results.ts'
import { Conversation } from '../../agents/conversation.ts'

const page = `${'filler line of a page\n'.repeat(200)}Total revenue 48213\n${'filler\n'.repeat(200)}`

/** Shortens a page after a turn of the model, and returns what is left of the page. */
function shortenedAfter(turn: AIMessage): string {
  const conversation = new Conversation(text => text.length)
  const result = {
    callId: 'c',
    tool: 'fetch_page',
    callKey: 'k',
    step: 1,
    url: null,
    fullText: page,
    wrap: String,
  }
  conversation.addToolResult({ text: page, result }, false)
  conversation.addAssistant(turn)
  shortenToolResults({ conversation, limitTokens: 1_500, step: 2, marker: () => '[cut]' })
  return conversation.entries[0]!.parts[0]!.text
}

it.each([
  ['the text', new AIMessage('It is 48,213.')],
  ['a kept <think> text', new AIMessage('<think>It is 48,213.</think>')],
  ['a kept field', new AIMessage({ content: '', additional_kwargs: { reasoning_content: 'It is 48,213.' } })],
  ['a kept block', new AIMessage({ content: [{ type: 'thinking', thinking: '48,213', signature: 's' }] })],
])('keeps the line of a figure that the model noted in %s', (_where, turn) => {
  expect(shortenedAfter(turn)).toContain('Total revenue 48213')
})

it('cuts the line of a figure that the model did not note', () => {
  expect(shortenedAfter(new AIMessage('I read on.'))).not.toContain('48213')
})
