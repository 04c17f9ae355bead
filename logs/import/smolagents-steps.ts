import { z } from 'zod/v4'
import { type ForeignCall, type ForeignMessage, unreportedTurn } from './foreign-log.ts'
import { callSchema, optionalText, readCall, readContent, readText } from './message-parts.ts'

/** A Python string literal with its escapes. */
const quoted = `'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)"`

/** `ToolCall(name='web_search', arguments={'query': 'x'}, id='call_1')`, as Python prints it. */
const printedCall = /ToolCall\(name='([^']*)', arguments=([\s\S]*?), id='([^']*)'\)/g
/**
 * `{'id': 'call_1', 'type': 'function', 'function': {'name': 'web_search', 'arguments': {…}}}` inside the text of a
 * message.
 */
const callInText = /'id': '([^']*)'[\s\S]*?'name': '([^']*)', 'arguments': ([\s\S]*?)\}\}(?=[,\]])/g

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' }

/** Returns a field of a step as Python prints it; null when the field is not text. */
function readPrintedField(step: string, name: string): string | null {
  const match = new RegExp(`\\b${name}=(?:${quoted})`).exec(step)
  const text = match?.[1] ?? match?.[2]
  return text?.replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char) ?? null
}

/**
 * Reads a step of the agent's memory as Python prints it: `ActionStep(…)`. A step without a model turn becomes a
 * user message.
 */
function readPrintedStep(text: string): ForeignMessage[] {
  const kind = /^\s*(\w+)\(/.exec(text)?.[1]
  if (kind === 'FinalAnswerStep') return []
  if (kind === 'TaskStep' || kind === 'SystemPromptStep')
    return [{ role: kind === 'TaskStep' ? 'user' : 'system', text }]
  const calls = [...text.matchAll(printedCall)].map(([, name = '', args = '', id = '']) => ({
    id,
    name,
    args,
  }))
  const error = /\berror=(\w+\([\s\S]*?\))(?:, \w+=|\)\s*$)/.exec(text)?.[1] ?? null
  return [
    { role: 'assistant', text, calls, ...unreportedTurn },
    ...toolResult(calls, readPrintedField(text, 'observations'), error),
  ]
}

/** Returns the result of a step's tools. It belongs to the first call of the step. */
function toolResult(
  calls: readonly ForeignCall[],
  text: string | null,
  error: string | null,
): ForeignMessage[] {
  if ((text === null && error === null) || calls[0] === undefined) return []
  return [{ role: 'tool', callId: calls[0].id, tool: calls[0].name, text: text ?? '', error, at: null }]
}

const stepSchema = z.looseObject({
  role: z.union([z.string(), z.looseObject({ value: z.string() })]).nullish(),
  content: z.unknown().optional(),
  model_output: z.unknown().optional(),
  tool_calls: z.array(callSchema).nullish().catch(null),
  observations: z.unknown().optional(),
  error: z.unknown().optional(),
  task: optionalText,
  system_prompt: optionalText,
})

/** Reads a message of the memory, or a step given by its fields. `number` is part of the id of calls without one. */
function readStep(step: unknown, number: number): ForeignMessage[] {
  if (typeof step === 'string') return readPrintedStep(step)
  const parsed = stepSchema.safeParse(step)
  if (!parsed.success) return []
  const { role, content, model_output, tool_calls, observations, error, task, system_prompt } = parsed.data
  const name = (typeof role === 'object' ? role?.value : role)?.replace(/^MessageRole\./, '').toLowerCase()
  const calls = (tool_calls ?? []).map((call, index) => readCall(call, number * 100 + index))
  const { text, reasoning } = readContent(content ?? model_output)
  switch (name?.replace('_', '-')) {
    case 'system':
    case 'user':
      return [{ role: name === 'system' ? 'system' : 'user', text }]
    case 'tool-response':
    case 'tool': {
      const failure = readText(error) ?? (/^Error:/.test(text) ? text : null)
      return [{ role: 'tool', callId: '', tool: '', text, error: failure, at: null }]
    }
    case 'tool-call':
      return [{ role: 'assistant', text, calls: callsInText(text), ...unreportedTurn }]
    case undefined:
      if (system_prompt !== null && system_prompt !== undefined)
        return [{ role: 'system', text: system_prompt }]
      if (task !== null && task !== undefined) return [{ role: 'user', text: task }]
      break
    default:
      if (text.startsWith('Calling tools:'))
        return [{ role: 'assistant', text, calls: callsInText(text), ...unreportedTurn }]
  }
  return [
    { role: 'assistant', text, calls, ...unreportedTurn, reasoning },
    ...toolResult(calls, readText(observations), readText(error)),
  ]
}

function callsInText(text: string): ForeignCall[] {
  return [...text.matchAll(callInText)].map(([, id = '', name = '', args = '']) => ({ id, name, args }))
}

/** Reads the memory of an agent as a conversation. Calls in a separate message belong to the preceding turn. */
export function readSteps(steps: readonly unknown[]): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let waiting: ForeignCall[] = []
  for (const message of steps.flatMap(readStep)) {
    const last = messages.at(-1)
    if (message.role === 'tool' && message.tool === '') {
      const call = waiting.shift() ?? { id: '', name: 'unnamed' }
      messages.push({ ...message, callId: call.id, tool: call.name })
    } else if (message.role === 'assistant') {
      const repeatsCalls =
        message.text.startsWith('Calling tools:') && last?.role === 'assistant' && last.calls.length === 0
      waiting = [...message.calls]
      if (repeatsCalls) messages[messages.length - 1] = { ...last, calls: message.calls }
      else messages.push(message)
    } else messages.push(message)
  }
  return messages
}
