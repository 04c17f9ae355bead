import { AIMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { Conversation } from '../../agents/conversation.ts'

const keepText = (text: string): string => text

it('reports a message again when its reasoning is removed, so that the trace contains what is sent', () => {
  const conversation = new Conversation(text => text.length)
  conversation.addUser({ text: 'Question', result: null, isQuestion: true })
  conversation.addAssistant(
    new AIMessage({ content: 'Answer', additional_kwargs: { reasoning_content: 'I think so.' } }),
  )
  const [, first] = conversation.takeUnreported(keepText)
  expect(first).toMatchObject({
    id: 1,
    content: { text: 'Answer' },
    reasoning: { reasoning_content: { text: 'I think so.' } },
  })
  conversation.dropReasoning()
  const again = conversation.takeUnreported(keepText)
  expect(again).toMatchObject([{ id: 1, role: 'assistant', content: { text: 'Answer' } }])
  expect(again[0]).not.toHaveProperty('reasoning')
  conversation.dropReasoning()
  expect(conversation.takeUnreported(keepText)).toEqual([])
})
