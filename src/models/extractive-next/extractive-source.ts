import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { countMessageTokens } from '../message-tokens.ts'
import { setUsage } from '../message-usage.ts'
import type { ModelOptions, ModelSource, ModelSpec } from '../model-source.ts'
import { countTokensCheaply } from '../token-count.ts'
import { writeAnswer } from './answer.ts'
import { type MadeCall, searchOn, type ToolCall } from './search.ts'

/** Costs nothing: it runs here. */
const free = { input: 0, cachedInput: 0, output: 0 }

/**
 * The rule-based model: finds documents by their names and values by the labels in labels.json, with no language model
 * in it. The same messages always get the same answer. It has no context window unless --context-window gives it one,
 * and always calls tools natively.
 */
export function createExtractive(_spec: ModelSpec, options: ModelOptions): ModelSource {
  const known = { name: 'extractive', contextWindow: options.contextWindow ?? null, price: free }
  return {
    name: known.name,
    describe: () => known,
    forAttempt: () => ({
      ...known,
      nativeTools: true,
      countTokens: countTokensCheaply,
      async call(messages, call) {
        call.signal.throwIfAborted()
        const { text, calls } = respond(messages, call.tools.length > 0)
        const id = (index: number): string => `call_${messages.length}_${index}`
        const message = new AIMessage({
          content: text,
          tool_calls: calls.map((one, index) => ({ ...one, id: id(index), type: 'tool_call' as const })),
          response_metadata: { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' },
        })
        const input = countMessageTokens(messages)
        const output = countTokensCheaply(text) + countTokensCheaply(JSON.stringify(calls))
        return setUsage(message, { input_tokens: input, output_tokens: output, total_tokens: input + output })
      },
    }),
  }
}

/** With contents in the prompt the answer; else calls, as long as something is left to try. */
function respond(
  messages: readonly BaseMessage[],
  tools: boolean,
): { text: string; calls: readonly ToolCall[] } {
  const asked = messages.find(message => message instanceof HumanMessage)?.text ?? ''
  const [head = '', ...blocks] = asked.split(/^<document name="/m)
  const [query = '', list] = head.replace(/^# (?:Question|问题)\n/, '').split(/^# (?:Documents|文档)\s*$/m)
  const given = blocks.map(block => {
    const end = block.lastIndexOf('</document>')
    const name = block.slice(0, block.indexOf('"')).replaceAll('&quot;', '"')
    return { name, text: block.slice(block.indexOf('>\n') + 2, end < 0 ? undefined : end) }
  })
  if (given.length > 0) return { text: writeAnswer(query, given), calls: [] }
  // Prompts of another layout name the documents without a heading: file names in a list.
  const lines = (list ?? head).matchAll(list === undefined ? /^- (.+\.[A-Za-z]{2,5})$/gm : /^- (.+)$/gm)
  const names = [...lines].map(match => match[1]!.trim())
  const { calls, documents, notes } = searchOn(names, madeCalls(messages))
  const told = messages.at(-1)
  const mustAnswer = !tools || (told instanceof HumanMessage && /^(?:Answer now|请立即作答)/.test(told.text))
  if (calls.length > 0 && !mustAnswer) return { text: '', calls }
  return { text: [...notes, writeAnswer(query, documents)].join('\n\n'), calls: [] }
}

/** The calls of a conversation with what they gave, in order. */
function madeCalls(messages: readonly BaseMessage[]): MadeCall[] {
  const results = new Map<string, string>()
  for (const message of messages)
    if (message instanceof ToolMessage) results.set(message.tool_call_id, message.text)
  const calls = messages.flatMap(message => (message instanceof AIMessage ? (message.tool_calls ?? []) : []))
  return calls.map(({ id, name, args }) => ({ name, args, result: results.get(id ?? '') ?? '' }))
}
