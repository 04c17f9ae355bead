import { AIMessage } from '@langchain/core/messages'
import type { CallsInText } from '../src/core/usage.ts'
import type { AskedCall, MalformedCall } from '../src/models/model-answer.ts'
import { readReasoningFields } from '../src/models/model-answer.ts'
import { findFences } from '../src/text/fences.ts'
import { resolveToolName, splitArguments } from '../src/text/tool-calls/call-values.ts'
import { withoutReasoning, withThoughts } from './kept-reasoning.ts'
import type { ModelTurn } from './model-call.ts'
import {
  readReasonedCalls,
  readTextTurn,
  resultText,
  type TextTurn,
  type TextTurnReading,
} from './text-protocol.ts'

/** A turn of the model in the form that the loop uses. */
export interface ReadTurn {
  readonly text: string
  /** The answer if the model wrote it as a tool call; null otherwise. */
  readonly answer: string | null
  /** With ids that are unique in the attempt. */
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
  /** What the server left in the text of its calls; null for nothing. */
  readonly leftInText: CallsInText | null
  /** The message for the conversation; null when the turn has no content that can be kept. */
  readonly history: AIMessage | null
}

/** Reads the turns of one attempt, with native tool calls or with calls in the text. */
export interface TurnReader {
  read(turn: ModelTurn): ReadTurn
  /** Returns the function that puts a tool's result into the form that the model sees. */
  resultWrap(tool: string): (text: string) => string
}

/** How the turns of one attempt are read. */
interface TurnReading {
  readonly tools: TextTurnReading['tools']
  readonly isAnswer: TextTurnReading['isAnswer']
  /** Whether the model gets its tools natively; otherwise they are offered through text. */
  readonly native: boolean
  /** Whether the messages for the conversation contain the reasoning of the turn. */
  readonly keepsReasoning: boolean
}

/** Creates the reader of one attempt. */
export function createTurnReader(how: TurnReading): TurnReader {
  const ids = new Set<string>()
  const freshId = (): string => {
    let number = ids.size + 1
    while (ids.has(`call-${number}`)) number += 1
    ids.add(`call-${number}`)
    return `call-${number}`
  }
  const reading = { ...how, ids, freshId }
  return how.native
    ? { read: turn => readNative(turn, reading), resultWrap: () => text => text }
    : { read: turn => readText(turn, reading), resultWrap: tool => text => resultText(tool, text) }
}

interface TurnRules extends TurnReading {
  readonly ids: Set<string>
  readonly freshId: () => string
}

function readNative(turn: ModelTurn, reading: TurnRules): ReadTurn {
  const { text } = turn.answer
  const { ids, freshId, keepsReasoning } = reading
  if (turn.answer.calls.length + turn.answer.malformed.length === 0) return readLeftInText(turn, reading)
  const { joined, malformed } = readJoinedCalls(turn.answer.malformed, reading.tools)
  let isChanged = false
  const calls = [...turn.answer.calls, ...joined].map(call => {
    // Some servers omit ids or repeat them, but each result must name one call.
    const id = call.id === '' || ids.has(call.id) ? freshId() : call.id
    ids.add(id)
    const name = resolveToolName(call.name, reading.tools)
    isChanged ||= id !== call.id || name !== call.name
    return { ...call, id, name }
  })
  const isWhole = !isChanged && malformed.length === 0
  const history = isWhole ? wholeMessage(turn, keepsReasoning) : rebuilt(turn, text, calls, keepsReasoning)
  return { text, answer: findAnswer(calls), calls, malformed, leftInText: null, history }
}

/** Reads the malformed calls whose arguments are objects in another spelling than JSON, as calls of the same tool. */
function readJoinedCalls(
  broken: readonly MalformedCall[],
  tools: TurnReading['tools'],
): { readonly joined: readonly AskedCall[]; readonly malformed: readonly MalformedCall[] } {
  const joined: AskedCall[] = []
  const malformed: MalformedCall[] = []
  for (const call of broken) {
    const name = resolveToolName(call.name, tools)
    const split = splitArguments(
      call.args,
      tools.find(tool => tool.name === name),
    )
    if (split === null) malformed.push(call)
    else if ('problem' in split) malformed.push({ ...call, ...split })
    else joined.push(...split.map(args => ({ id: '', name, args })))
  }
  return { joined, malformed }
}

/** Reads a turn without calls of the server. A server without a parser for its model leaves them in the text. */
function readLeftInText(turn: ModelTurn, reading: TurnRules): ReadTurn {
  const { keepsReasoning } = reading
  const readTurn = readWritten(turn, turn.answer.text, reading)
  const { text, calls, malformed, unread, forms } = readTurn
  if (calls.length + malformed.length + unread === 0) {
    const plain = { text: turn.answer.text, answer: null, calls, malformed, leftInText: null }
    return { ...plain, history: wholeMessage(turn, keepsReasoning) }
  }
  const leftInText = { calls: calls.length, unread, forms: [...forms] }
  const history = rebuilt(turn, text, calls, keepsReasoning)
  return { text, answer: findAnswer(calls), calls, malformed, leftInText, history }
}

/** Reads the calls that a model wrote in its text or, in a turn without a text, in its reasoning. */
function readWritten(turn: ModelTurn, text: string, { tools, isAnswer, freshId }: TurnRules): TextTurn {
  const { finishReason, reasoning } = turn.answer
  const how = { tools, isAnswer, nextId: freshId, isCut: finishReason === 'length' }
  return text.trim() === '' && reasoning !== null
    ? readReasonedCalls(reasoning, how)
    : readTextTurn(text, how)
}

/** Returns the message as the model wrote it, with or without its reasoning; null when it contains only reasoning. */
function wholeMessage({ message, answer }: ModelTurn, keepsReasoning: boolean): AIMessage | null {
  if (answer.text.trim() === '' && answer.calls.length === 0) return null
  return keepsReasoning ? message : withoutReasoning(message)
}

/** Returns the message with other calls and without malformed ones. */
function rebuilt(
  { message }: ModelTurn,
  text: string,
  calls: ReadTurn['calls'],
  keepsReasoning: boolean,
): AIMessage | null {
  if (text.trim() === '' && calls.length === 0) return null
  return new AIMessage({
    content: keepsReasoning ? withThoughts(message, text) : text,
    additional_kwargs: keepsReasoning ? readReasoningFields(message) : {},
    tool_calls: calls.map(({ id, name, args }) => ({
      type: 'tool_call',
      id,
      name,
      args: args as Record<string, unknown>,
    })),
  })
}

function readText(turn: ModelTurn, reading: TurnRules): ReadTurn {
  const writtenText = turn.answer.text.split(/<tool_result\b/i)[0]!
  const turnText = [writtenText, ...asTags(turn.answer.calls)].join('\n').trim()
  const { text, calls, malformed, unread } = readWritten(turn, turnText, reading)
  // The prompt describes the form, so calls in another form are the model's mistake.
  const unknown = {
    name: 'the tool',
    args: '',
    problem: 'it is not in the form that the first message describes',
  }
  const history = textMessage(
    turn,
    turnText === '' ? asTags(calls).join('\n') : turnText,
    reading.keepsReasoning,
  )
  return {
    text,
    answer: findAnswer(calls),
    calls,
    malformed: unread > 0 && calls.length === 0 ? [...malformed, unknown] : malformed,
    leftInText: null,
    history,
  }
}

function textMessage({ message }: ModelTurn, text: string, keepsReasoning: boolean): AIMessage | null {
  if (text === '') return null
  if (!keepsReasoning) return new AIMessage(text)
  return new AIMessage({
    content: withThoughts(message, text),
    additional_kwargs: readReasoningFields(message),
  })
}

/** Writes calls as text again. Some servers parse calls from the text even if no tools were offered. */
function asTags(calls: readonly AskedCall[]): string[] {
  return calls.map(({ name, args }) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`)
}

const answerTools = /^(?:final_?)?answer$/i

/**
 * Returns the answer of a model that answers by calling a tool such as `final_answer`, whether it is offered or not.
 */
function findAnswer(calls: readonly AskedCall[]): string | null {
  for (const { name, args } of calls) {
    if (!answerTools.test(name)) continue
    const [text] = listTexts(args).sort((a, b) => answerScore(b) - answerScore(a) || b.length - a.length)
    if (text !== undefined) return text
  }
  return null
}

function listTexts(args: unknown, depth = 0): string[] {
  if (typeof args === 'string') return args.trim() === '' ? [] : [args]
  if (args === null || typeof args !== 'object' || depth > 2) return []
  return Object.values(args).flatMap(value => listTexts(value, depth + 1))
}

/** Rates how likely a text is the table, because such a call may also contain a title or an explanation. */
function answerScore(text: string): number {
  return (findFences(text).length > 0 ? 2 : 0) + (/\n.*,|,.*\n/.test(text) ? 1 : 0)
}
