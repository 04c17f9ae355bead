import type { StructuredToolInterface } from '@langchain/core/tools'
import type { AskedCall, MalformedCall } from './model-answer.ts'
import type { LoopNotes } from './prompts/notes.ts'
import { toolSchema } from './tool-schema.ts'

/** What a model without tool calling wrote, taken apart. */
export interface TextTurn {
  /** What stands outside the calls; the inside of `<answer>` where there is one. */
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly malformed: readonly MalformedCall[]
}

/** The part of the system message that offers tools through text (ReAct with tags). */
export function protocolInstructions(tools: readonly StructuredToolInterface[], notes: LoopNotes): string {
  const list = tools.map(tool => `- ${tool.name}: ${tool.description}\n  ${JSON.stringify(toolSchema(tool))}`)
  return notes.protocol(list.join('\n'))
}

/** A tool's result as the next user message shows it. */
export function resultText(tool: string, text: string): string {
  return `<tool_result name="${tool}">\n${text}\n</tool_result>`
}

const callPattern = /<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/gi
const answerPattern = /<answer>([\s\S]*?)(?:<\/answer>|$)/gi

/**
 * Reads calls and answer out of a text. Tolerates a last tag that is not closed and code fences inside a call; results
 * that the model made up itself end what is read. `nextId` names the calls.
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
  if (typeof name !== 'string' || name === '') return broken('it names no tool')
  return { id: nextId(), name, args: given ?? args ?? parameters ?? {} }
}

const functionTag = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>\s*)?$/
const parameterTag = /<parameter=([\w.-]+)>\s*([\s\S]*?)\s*(?:<\/parameter>|(?=<parameter=)|$)/g

/** The form that coder models are trained to write: tags inside the call, one a parameter. Null: it is not that. */
function readTaggedCall(body: string): { name: string; args: Record<string, unknown> } | null {
  const [, name, inner = ''] = functionTag.exec(body) ?? []
  if (name === undefined) return null
  const parameters = [...inner.matchAll(parameterTag)]
  return {
    name,
    args: Object.fromEntries(parameters.map(([, key = '', value = '']) => [key, jsonOr(value)])),
  }
}

/** Lists and numbers are written as JSON there, texts as they are. */
function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    // Plain text, as most values are.
    return value
  }
}

function nameIn(json: string): string {
  return /"name"\s*:\s*"([^"]*)"/.exec(json)?.[1] ?? 'the tool'
}
