import { randomBytes } from 'node:crypto'
import { AIMessage, type UsageMetadata } from '@langchain/core/messages'
import { setUsage } from '../message-usage.ts'
import { readModelAnswer } from '../model-answer.ts'
import type { AgentRequest, DescribedTool } from './dialect.ts'

/** A tool call with its arguments as the model wrote them. */
export interface WrittenCall {
  readonly id: string
  readonly name: string
  /** The arguments, which are not always valid JSON. */
  readonly json: string
}

/** An answer of a model in parts that every dialect can write. */
export interface AnswerParts {
  readonly text: string
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly calls: readonly (WrittenCall & { readonly tool: DescribedTool | null })[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** Zeros when the provider did not report them, because clients expect numbers. */
  readonly usage: {
    readonly input: number
    readonly cached: number
    readonly output: number
    readonly reasoning: number
  }
}

/** Splits an answer into parts. Calls without an id get one that is unique in the conversation. */
export function splitAnswer(answer: AIMessage, request: AgentRequest): AnswerParts {
  const { text, reasoning, refusal, calls, malformed, finishReason, usage } = readModelAnswer(answer)
  const written = [
    ...calls.map(({ id, name, args }) => ({ id, name, json: JSON.stringify(args ?? {}) })),
    ...malformed.map(({ name, args }) => ({ id: '', name, json: args })),
  ]
  const finish = finishReason === 'length' || finishReason === 'content_filter' ? finishReason : 'stop'
  return {
    text,
    reasoning,
    refusal,
    calls: written.map((call, index) => ({
      ...call,
      id: call.id === '' ? `call_${request.messages.length}_${index}` : call.id,
      tool: request.tools.find(tool => tool.name === call.name) ?? null,
    })),
    finish: finish === 'stop' && written.length > 0 ? 'tool_calls' : finish,
    usage: {
      input: usage?.inputTokens ?? 0,
      cached: usage?.cachedInputTokens ?? 0,
      output: usage?.outputTokens ?? 0,
      reasoning: usage?.reasoningTokens ?? 0,
    },
  }
}

/** Returns a new id for an answer or a part of it. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`
}

/** An answer of a model's server, as a reader collects it. */
export interface CollectedAnswer {
  text: string
  reasoning: string
  refusal: string
  calls: WrittenCall[]
  finishReason: string | null
  usage: UsageMetadata | null
}

/** Creates an answer to which the parts of a stream are added. */
export function createEmptyAnswer(): CollectedAnswer {
  return { text: '', reasoning: '', refusal: '', calls: [], finishReason: null, usage: null }
}

/**
 * Converts a collected answer to LangChain's format. Calls whose arguments are not JSON are marked as invalid.
 *
 * @param reasoningFields reasoning by the field of the message in which the server sent it
 */
export function createMessage(
  { text, reasoning, refusal, calls, finishReason, usage }: CollectedAnswer,
  reasoningFields: Readonly<Record<string, unknown>> = {},
): AIMessage {
  const tool_calls: AIMessage['tool_calls'] = []
  const invalid_tool_calls: AIMessage['invalid_tool_calls'] = []
  for (const { id, name, json } of calls)
    try {
      const args = JSON.parse(json.trim() === '' ? '{}' : json) as Record<string, unknown>
      tool_calls.push({ type: 'tool_call', id, name, args })
    } catch (error) {
      const problem = `its arguments are not valid JSON: ${(error as Error).message}`
      invalid_tool_calls.push({ type: 'invalid_tool_call', id, name, args: json, error: problem })
    }
  const message = new AIMessage({
    content: text,
    tool_calls,
    invalid_tool_calls,
    additional_kwargs: {
      ...reasoningFields,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(refusal !== '' && { refusal }),
    },
    response_metadata: finishReason === null ? {} : { finish_reason: finishReason },
  })
  return setUsage(message, usage)
}
