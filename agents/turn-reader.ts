import { AIMessage } from '@langchain/core/messages'
import type { AskedCall, MalformedCall } from './model-answer.ts'
import type { ModelTurn } from './model-call.ts'
import { readTextTurn, resultText } from './text-protocol.ts'

/** A model's turn as the loop acts on it. */
export interface ReadTurn {
  readonly text: string
  /** The answer where the model gave it as a call; null otherwise. */
  readonly answer: string | null
  /** With ids that are unique in the attempt. */
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
  /** What stands for the turn in the conversation; null where it held nothing that could. */
  readonly history: AIMessage | null
}

/** Reads turns of one attempt, through native tool calls or through text. */
export interface TurnReader {
  read(turn: ModelTurn): ReadTurn
  /** The form in which a tool's result is shown. */
  resultWrap(tool: string): (text: string) => string
}

export function createTurnReader(native: boolean): TurnReader {
  const ids = new Set<string>()
  const freshId = (): string => {
    let number = ids.size + 1
    while (ids.has(`call-${number}`)) number += 1
    ids.add(`call-${number}`)
    return `call-${number}`
  }
  return native
    ? { read: turn => readNative(turn, ids, freshId), resultWrap: () => text => text }
    : { read: turn => readText(turn, freshId), resultWrap: tool => text => resultText(tool, text) }
}

function readNative(turn: ModelTurn, ids: Set<string>, freshId: () => string): ReadTurn {
  const { text, malformed } = turn.answer
  const written = callsInText(turn, freshId)
  if (written !== null) return written
  let mended = false
  const calls = turn.answer.calls.map(call => {
    // Servers leave ids out or give the same one again; a result must name one call.
    const id = call.id === '' || ids.has(call.id) ? freshId() : call.id
    ids.add(id)
    mended ||= id !== call.id
    return { ...call, id }
  })
  const asSaid = typeof turn.message.content !== 'string' || turn.message.content === text
  const whole = !mended && malformed.length === 0 && asSaid
  const history = whole ? turn.message : rebuilt(text, calls)
  return { text, answer: answerIn(calls), calls, malformed, history }
}

/** Calls that a server without a parser for them left in the text, as models are trained to write them; null: none. */
function callsInText(turn: ModelTurn, freshId: () => string): ReadTurn | null {
  const { calls, malformed, text } = turn.answer
  if (calls.length + malformed.length > 0 || !text.includes('<tool_call>')) return null
  const read = readTextTurn(text, freshId)
  return { ...read, answer: answerIn(read.calls), history: rebuilt(read.text, read.calls) }
}

/** The message without reasoning and without calls that nothing can answer. */
function rebuilt(text: string, calls: readonly AskedCall[]): AIMessage | null {
  if (text.trim() === '' && calls.length === 0) return null
  return new AIMessage({
    content: text,
    tool_calls: calls.map(({ id, name, args }) => ({
      type: 'tool_call',
      id,
      name,
      args: args as Record<string, unknown>,
    })),
  })
}

function readText(turn: ModelTurn, freshId: () => string): ReadTurn {
  const said = turn.answer.text.split(/<tool_result\b/i)[0]!
  const own = [said, ...asTags(turn.answer.calls)].join('\n').trim()
  const read = readTextTurn(own, freshId)
  const history = own === '' ? null : new AIMessage(own)
  return { ...read, answer: answerIn(read.calls), history }
}

/** Some servers make calls of what a model wrote whether tools were offered or not: they go back to how it wrote them. */
function asTags(calls: readonly AskedCall[]): string[] {
  return calls.map(({ name, args }) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`)
}

const answerTools = /^(?:final_?)?answer$/i

/** Some models answer by calling a tool of that name, whether it is offered or not. */
function answerIn(calls: readonly AskedCall[]): string | null {
  for (const { name, args } of calls) {
    if (!answerTools.test(name)) continue
    const [text] = textsIn(args).sort((a, b) => likeness(b) - likeness(a) || b.length - a.length)
    if (text !== undefined) return text
  }
  return null
}

function textsIn(args: unknown, depth = 0): string[] {
  if (typeof args === 'string') return args.trim() === '' ? [] : [args]
  if (args === null || typeof args !== 'object' || depth > 2) return []
  return Object.values(args).flatMap(value => textsIn(value, depth + 1))
}

/** Beside the table a call may hold a title or its reasons: a fence tells most, then a line break. */
function likeness(text: string): number {
  return (text.includes('```') ? 2 : 0) + (/\n.*,|,.*\n/.test(text) ? 1 : 0)
}
