import type { StructuredToolInterface } from '@langchain/core/tools'
import type { AskedCall, MalformedCall } from '../src/models/model-answer.ts'
import { toolSchema } from '../src/models/tool-schema.ts'
import type { CallPart } from '../src/text/tool-calls/call-part.ts'
import type { CallableTool } from '../src/text/tool-calls/call-values.ts'
import { readTextCalls } from '../src/text/tool-calls/read-text-calls.ts'
import type { LoopNotes } from './prompts/notes.ts'

/** A turn of the model with the calls that it wrote in its text. */
export interface TextTurn {
  /** The content of `<answer>` if present, otherwise the text outside the calls. */
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
  /** How many parts look like a call in a form that is not known. */
  readonly unread: number
  /** The forms of the calls, as `callGrammars` names them. */
  readonly forms: readonly string[]
}

/** What reading the calls in a turn needs. */
export interface TextTurnReading {
  readonly tools: readonly CallableTool[]
  /** Returns an id for each call. */
  readonly nextId: () => string
  /** Returns whether a text contains an answer in the asked form. */
  readonly isAnswer: (text: string) => boolean
  /** Whether the output limit cut the turn. */
  readonly isCut: boolean
}

/** Returns the part of the system message that offers tools through text (ReAct with tags). */
export function protocolInstructions(tools: readonly StructuredToolInterface[], notes: LoopNotes): string {
  const list = tools.map(tool => `- ${tool.name}: ${tool.description}\n  ${JSON.stringify(toolSchema(tool))}`)
  return notes.protocol(list.join('\n'))
}

/** Returns the result of a tool as the next user message shows it. */
export function resultText(tool: string, text: string): string {
  return `<tool_result name="${tool}">\n${text}\n</tool_result>`
}

const answerPattern = /<answer>([\s\S]*?)(?:<\/answer>|$)/gi

/**
 * Reads calls and the answer from a text. Reading stops at tool results that the model invented. A call is carried out
 * unless a final answer stands beside it: then only calls with marks at the end of the text are, outside of code, because
 * a model stops after a real call and waits for its result. Any other call is part of the answer, such as an example.
 */
export function readTextTurn(text: string, reading: TextTurnReading): TextTurn {
  const writtenText = text.slice(0, /<tool_result\b/i.exec(text)?.index)
  const { parts, rest } = readTextCalls(writtenText, reading.tools)
  const answer = [...rest.matchAll(answerPattern)].at(-1)?.[1]
  const isAnswered = answer === undefined ? reading.isAnswer(rest) : answer.trim() !== ''
  const carriedOut = parts.filter(part => !isAnswered || (part.isLast && part.isMarked && !part.isInCode))
  const turn = collectCalls(carriedOut, reading)
  const isPlain = parts.length > 0 && carriedOut.length === 0
  return { ...turn, text: (answer ?? (isPlain ? writtenText : rest)).trim() }
}

/**
 * Reads the calls in the reasoning of a turn without a text. Calls without marks, and what only looks like a call, count at
 * its end alone.
 */
export function readReasonedCalls(reasoning: string, reading: TextTurnReading): TextTurn {
  const { parts } = readTextCalls(reasoning, reading.tools)
  const isCall = ({ isLast, isMarked, calls }: CallPart): boolean => isLast || (isMarked && calls.length > 0)
  return { ...collectCalls(parts.filter(isCall), reading), text: '' }
}

function collectCalls(
  parts: readonly CallPart[],
  { nextId, isCut }: TextTurnReading,
): Omit<TextTurn, 'text'> {
  const calls: AskedCall[] = []
  const malformed: MalformedCall[] = []
  let unread = 0
  for (const part of parts) {
    const wasCut = isCut && part.isLast && part.grammar !== null && (part.isOpen || part.calls.length === 0)
    const last = part.calls.at(-1)
    const whole = wasCut ? part.calls.slice(0, -1) : part.calls
    calls.push(...whole.map(call => ({ id: nextId(), ...call })))
    if (part.broken !== null) malformed.push(part.broken)
    else if (wasCut) {
      const args = last === undefined ? '' : JSON.stringify(last.args)
      malformed.push({ name: last?.name ?? 'the tool', args, problem: 'the text ends within it' })
    } else if (last === undefined) unread += 1
  }
  return { calls, malformed, unread, forms: [...new Set(parts.flatMap(({ grammar }) => grammar ?? []))] }
}
