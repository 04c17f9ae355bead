import { z } from 'zod/v4'
import type { CallUsage } from '../events.ts'
import type { ForeignCall, ForeignMessage } from './foreign-log.ts'
import { callSchema, readCall, readContent, readText, readTime } from './message-parts.ts'

const optionalText = z.string().nullish().catch(null)

/** A message as chat APIs and Inspect AI write it. An invalid field is treated as unknown; the message is kept. */
export const chatMessageSchema = z.looseObject({
  id: optionalText,
  role: optionalText,
  content: z.unknown().optional(),
  reasoning: optionalText,
  tool_calls: z.array(callSchema).nullish().catch(null),
  tool_call_id: z.union([z.string(), z.number()]).nullish().catch(null),
  /** The name of the tool, in tool messages. */
  function: optionalText,
  name: optionalText,
  error: z.unknown().optional(),
  at: z.union([z.string(), z.number()]).nullish().catch(null),
})
/** A message after validation. */
export type ChatMessage = z.infer<typeof chatMessageSchema>

/** What the events of a log add to an assistant message. */
export interface TurnFacts {
  readonly at: string | null
  readonly usage: CallUsage | null
  readonly finishReason: string | null
}

const noFacts: TurnFacts = { at: null, usage: null, finishReason: null }

/** Returns the error message of a tool; null when the tool succeeded. */
function failureOf(error: unknown): string | null {
  if (error === null || error === undefined || error === false || error === '') return null
  const { message } = z.looseObject({ message: optionalText }).catch({ message: null }).parse(error)
  return message ?? readText(error)
}

function turnOf(
  message: ChatMessage,
  made: readonly ForeignCall[],
  facts: TurnFacts,
): Extract<ForeignMessage, { role: 'assistant' }> {
  const { text, reasoning } = readContent(message.content)
  const problems = (message.tool_calls ?? []).map(call => call.parse_error ?? null)
  return {
    role: 'assistant',
    text,
    reasoning: message.reasoning ?? reasoning,
    calls: made.filter((_, at) => problems[at] === null),
    malformed: made.flatMap(({ name, args }, at) => {
      const problem = problems[at] ?? null
      return problem === null ? [] : [{ name, args: readText(args) ?? '', problem }]
    }),
    ...facts,
    at: facts.at ?? readTime(message.at),
  }
}

/** Reads a conversation in order. Tool results are matched to their calls by id. */
export function readConversation(
  messages: readonly ChatMessage[],
  factsOf: (message: ChatMessage) => TurnFacts = () => noFacts,
): ForeignMessage[] {
  const names = new Map<string, string>()
  let calls = 0
  return messages.map((message): ForeignMessage => {
    const { text } = readContent(message.content)
    switch (message.role) {
      case 'assistant': {
        const made = (message.tool_calls ?? []).map(call => readCall(call, calls++))
        for (const call of made) names.set(call.id, call.name)
        return turnOf(message, made, factsOf(message))
      }
      case 'tool': {
        const callId = String(message.tool_call_id ?? '')
        const tool = message.function ?? message.name ?? names.get(callId) ?? 'unnamed'
        return { role: 'tool', callId, tool, text, error: failureOf(message.error), at: readTime(message.at) }
      }
      default:
        return { role: message.role === 'system' || message.role === 'developer' ? 'system' : 'user', text }
    }
  })
}
