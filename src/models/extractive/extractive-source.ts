import { AIMessage } from '@langchain/core/messages'
import { countMessageTokens } from '../message-tokens.ts'
import { setUsage } from '../message-usage.ts'
import type { ModelOptions, ModelSource, ModelSpec } from '../model-source.ts'
import { countTokensCheaply } from '../token-count.ts'
import { respond } from './respond.ts'

/** Costs nothing: it runs here. */
const free = { input: 0, cachedInput: 0, output: 0 }

/**
 * The rule-based model: finds documents by their names and values by label and period, with no language model in it.
 * The same messages always get the same answer. It has no context window unless --context-window gives it one.
 */
export function createExtractive(_spec: ModelSpec, options: ModelOptions): ModelSource {
  const name = 'extractive'
  const contextWindow = options.contextWindow ?? null
  const nativeTools = options.toolProtocol !== 'text'
  return {
    name,
    describe: () => ({ name, contextWindow, price: free }),
    forAttempt: () => ({
      name,
      contextWindow,
      nativeTools,
      price: free,
      countTokens: countTokensCheaply,
      async call(messages, call) {
        call.signal.throwIfAborted()
        const turn = respond(
          messages,
          call.tools.map(tool => tool.name),
        )
        const calls = turn.toolCalls.map((one, index) => ({
          ...one,
          id: `call_${messages.length}_${index}`,
          type: 'tool_call' as const,
        }))
        const input = countMessageTokens(messages)
        const output = countTokensCheaply(turn.text) + countTokensCheaply(JSON.stringify(turn.toolCalls))
        const message = new AIMessage({
          content: turn.text,
          tool_calls: calls,
          response_metadata: { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' },
        })
        return setUsage(message, {
          input_tokens: input,
          output_tokens: output,
          total_tokens: input + output,
        })
      },
    }),
  }
}
