import { z } from 'zod/v4'
import type { CallUsage } from '../event-parts.ts'
import type { ForeignCall, ForeignMessage } from './foreign-log.ts'
import {
  callSchema,
  optionalId,
  optionalText,
  readCall,
  readContent,
  readText,
  readTime,
} from './message-parts.ts'

/** A call inside the content of a message, as Anthropic's API writes it. */
const toolUseSchema = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown().optional(),
})

/** The result of a call inside the content of a user's message, as Anthropic's API writes it. */
const toolResultSchema = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish().catch(null),
})

/** The parts of a content that match a schema, and the other parts. */
function splitParts<T>(
  content: unknown,
  schema: z.ZodType<T>,
): { readonly matching: T[]; readonly rest: unknown } {
  if (!Array.isArray(content)) return { matching: [], rest: content }
  const parts: T[] = []
  const rest = (content as unknown[]).filter(part => {
    const parsed = schema.safeParse(part)
    if (parsed.success) parts.push(parsed.data)
    return !parsed.success
  })
  return parts.length === 0 ? { matching: parts, rest: content } : { matching: parts, rest }
}

/** A message as chat APIs (OpenAI, Anthropic) and Inspect AI write it. An invalid field is treated as unknown; the message is kept. */
export const chatMessageSchema = z.looseObject({
  id: optionalText,
  role: optionalText,
  content: z.unknown().optional(),
  reasoning: optionalText,
  tool_calls: z.array(callSchema).nullish().catch(null),
  tool_call_id: optionalId.catch(null),
  /** The name of the tool, in tool messages. */
  function: optionalText,
  name: optionalText,
  error: z.unknown().optional(),
  at: optionalId.catch(null),
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
export function readFailure(error: unknown): string | null {
  if (error === null || error === undefined || error === false || error === '') return null
  const { message } = z.looseObject({ message: optionalText }).catch({ message: null }).parse(error)
  return message ?? readText(error)
}

function readTurn(
  message: ChatMessage,
  calls: readonly ForeignCall[],
  facts: TurnFacts,
): Extract<ForeignMessage, { role: 'assistant' }> {
  const { text, reasoning } = readContent(message.content)
  const problems = (message.tool_calls ?? []).map(call => call.parse_error ?? null)
  return {
    role: 'assistant',
    text,
    reasoning: message.reasoning ?? reasoning,
    calls: calls.filter((_, at) => (problems[at] ?? null) === null),
    malformed: calls.flatMap(({ name, args }, at) => {
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
  readFacts: (message: ChatMessage) => TurnFacts = () => noFacts,
): ForeignMessage[] {
  const names = new Map<string, string>()
  let callCount = 0
  return messages.flatMap((message): ForeignMessage[] => {
    switch (message.role) {
      case 'assistant': {
        const { matching: toolUses, rest } = splitParts(message.content, toolUseSchema)
        const calls = [
          ...(message.tool_calls ?? []).map(call => readCall(call, callCount++)),
          ...toolUses.map(({ id, name, input }) => ({ id, name, args: input ?? {} })),
        ]
        for (const call of calls) names.set(call.id, call.name)
        return [readTurn({ ...message, content: rest }, calls, readFacts(message))]
      }
      case 'tool': {
        const { text } = readContent(message.content)
        const callId = String(message.tool_call_id ?? '')
        const tool = message.function ?? message.name ?? names.get(callId) ?? 'unnamed'
        return [
          { role: 'tool', callId, tool, text, error: readFailure(message.error), at: readTime(message.at) },
        ]
      }
      default: {
        const { matching: toolResults, rest } = splitParts(message.content, toolResultSchema)
        const results = toolResults.map((result): ForeignMessage => {
          const { text } = readContent(result.content)
          const callId = result.tool_use_id
          const error = result.is_error === true ? text : null
          return {
            role: 'tool',
            callId,
            tool: names.get(callId) ?? 'unnamed',
            text,
            error,
            at: readTime(message.at),
          }
        })
        if (toolResults.length > 0 && Array.isArray(rest) && rest.length === 0) return results
        const role = message.role === 'system' || message.role === 'developer' ? 'system' : 'user'
        return [...results, { role, text: readContent(rest).text }]
      }
    }
  })
}
