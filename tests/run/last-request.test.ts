import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../logs/events.ts'
import { LastRequest } from '../../src/run/records/last-request.ts'

const called = (messages: { id?: number; text: string }[], side?: string): EventBody => ({
  type: 'model-called',
  ...(side === undefined ? {} : { side }),
  messages: messages.map(({ id, text }) => ({
    ...(id === undefined ? {} : { id }),
    role: 'tool' as const,
    content: { text },
    toolCallId: null,
  })),
  tools: [],
  reservedTokens: 0,
  maxOutputTokens: null,
})
const cut = (removedMessages: number[]): EventBody => ({
  type: 'context-cut',
  strategy: 'keep-last:1',
  documents: [],
  shortened: [],
  removedMessages,
})

function textsAfter(...events: EventBody[]) {
  const request = new LastRequest()
  for (const event of events) request.tell(event)
  return request.texts(stored => ('text' in stored ? stored.text : 'a blob'))
}

describe('the texts of the last request', () => {
  const first = called([
    { id: 0, text: 'question' },
    { id: 1, text: 'page' },
  ])

  it('lack messages that were removed, and have the new text of messages that were shortened', () => {
    const changed = called([
      { id: 0, text: 'question, shorter' },
      { id: 2, text: 'note' },
    ])
    expect(textsAfter(first, cut([1]), changed)).toEqual(['question, shorter', 'note'])
  })

  it('include the reasoning that was sent back', () => {
    const { messages, ...rest } = called([{ id: 2, text: 'answer' }]) as Extract<
      EventBody,
      { type: 'model-called' }
    >
    const thought = { reasoning_content: { text: 'thought' } }
    const withThought = { ...rest, messages: messages.map(one => ({ ...one, reasoning: thought })) }
    expect(textsAfter(first, cut([1]), withThought)).toEqual(['question', 'answer', 'thought'])
  })

  it('do not include side requests', () => {
    expect(textsAfter(first, cut([1]), called([{ id: 0, text: 'summarise' }], 'state-note'))).toEqual([
      'question',
    ])
  })

  it('are not needed when nothing was removed, and unknown when messages have no numbers', () => {
    expect(textsAfter(first)).toBeNull()
    expect(textsAfter(called([{ text: 'question' }]), cut([0]))).toBeNull()
  })
})
