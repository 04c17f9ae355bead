import type { StructuredToolInterface } from '@langchain/core/tools'
import { toolSchema } from '../tools/tool-schema.ts'
import type { AskedCall, MalformedCall } from './model-answer.ts'
import type { LoopNotes } from './prompts/notes.ts'

/** The parsed turn of a model without native tool calls. */
export interface TextTurn {
  /** The content of `<answer>` if present, otherwise the text outside the calls. */
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
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

const callPattern = /<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/gi
const answerPattern = /<answer>([\s\S]*?)(?:<\/answer>|$)/gi

/**
 * Reads calls and the answer from a text. An unclosed last tag and code fences inside a call are accepted. Reading stops at
 * tool results that the model invented.
 *
 * @param nextId - returns an id for each call
 */
export function readTextTurn(text: string, nextId: () => string): TextTurn {
  const own = text.split(/<tool_result\b/i)[0]!
  const calls: AskedCall[] = []
  const malformed: MalformedCall[] = []
  for (const match of own.matchAll(callPattern)) {
    const read = readCall(match[1]!.trim(), nextId)
    if ('problem' in read) malformed.push(read)
    else calls.push(read)
  }
  const rest = own.replace(callPattern, '').replace(/<\/tool_call>/gi, '')
  const answers = [...rest.matchAll(answerPattern)]
  const answer = answers.at(-1)?.[1]
  return { text: (answer ?? rest).trim(), calls, malformed }
}

function readCall(body: string, nextId: () => string): AskedCall | MalformedCall {
  const json = body.replace(/^```[a-z]*\s*/i, '').replace(/\s*```$/, '')
  const tagged = readTaggedCall(json)
  if (tagged !== null) return { id: nextId(), ...tagged }
  const broken = (problem: string): MalformedCall => ({ name: nameIn(json), args: json, problem })
  let data: unknown
  try {
    data = JSON.parse(json)
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error))
  }
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return broken('not a JSON object')
  const { name, arguments: given, args, parameters } = data as Record<string, unknown>
  if (typeof name !== 'string' || name === '') return broken('it does not name a tool')
  return { id: nextId(), name, args: given ?? args ?? parameters ?? {} }
}

const functionTag = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>\s*)?$/
const parameterTag = /<parameter=([\w.-]+)>\s*([\s\S]*?)\s*(?:<\/parameter>|(?=<parameter=)|$)/g

/** Reads the form that coder models are trained to write, with one tag per parameter; null for any other form. */
function readTaggedCall(body: string): { name: string; args: Record<string, unknown> } | null {
  const [, name, inner = ''] = functionTag.exec(body) ?? []
  if (name === undefined) return null
  const parameters = [...inner.matchAll(parameterTag)]
  return {
    name,
    args: Object.fromEntries(parameters.map(([, key = '', value = '']) => [key, jsonOr(value)])),
  }
}

/** Parses a value as JSON; any other text is returned unchanged. */
function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function nameIn(json: string): string {
  return /"name"\s*:\s*"([^"]*)"/.exec(json)?.[1] ?? 'the tool'
}
