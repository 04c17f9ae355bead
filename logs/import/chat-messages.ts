import { z } from 'zod'
import type { CallUsage } from '../events.ts'
import type { ForeignMessage } from './foreign-log.ts'
import { callSchema, contentSchema, readCall, readContent, readTime } from './message-parts.ts'

/** A message as chat APIs and Inspect AI write it. */
export const chatMessageSchema = z.looseObject({
  id: z.string().nullish(),
  role: z.string(),
  content: contentSchema,
  reasoning: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().nullish(),
  /** tool messages: the tool's name. */
  function: z.string().nullish(),
  name: z.string().nullish(),
  error: z.union([z.string(), z.looseObject({ message: z.string().nullish() })]).nullish(),
  at: z.union([z.string(), z.number()]).nullish(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** What else is known of an assistant's message. */
export interface TurnFacts {
  readonly at: string | null
  readonly usage: CallUsage | null
  readonly finishReason: string | null
}

const nothing: TurnFacts = { at: null, usage: null, finishReason: null }

/** A conversation in its order; tool results are joined to the calls that they answer by id. */
export function readConversation(
  messages: readonly ChatMessage[],
  factsOf: (message: ChatMessage) => TurnFacts = () => nothing,
): ForeignMessage[] {
  const names = new Map<string, string>()
  let calls = 0
  return messages.map((message): ForeignMessage => {
    const { text, reasoning } = readContent(message.content)
    const at = readTime(message.at)
    switch (message.role) {
      case 'assistant': {
        const made = (message.tool_calls ?? []).map(call => readCall(call, calls++))
        for (const call of made) names.set(call.id, call.name)
        const facts = factsOf(message)
        return {
          role: 'assistant',
          text,
          reasoning: message.reasoning ?? reasoning,
          calls: made,
          malformed: [],
          ...facts,
          at: facts.at ?? at,
        }
      }
      case 'tool': {
        const callId = message.tool_call_id ?? ''
        const tool = message.function ?? message.name ?? names.get(callId) ?? 'unnamed'
        const { error } = message
        const failure = typeof error === 'object' ? (error?.message ?? null) : (error ?? null)
        return { role: 'tool', callId, tool, text, error: failure, at }
      }
      default:
        return { role: message.role === 'system' ? 'system' : 'user', text }
    }
  })
}
