import type { ModelSampling } from '../../core/model.ts'
import { isObject, parseJsonOrNull, readText, withoutNull } from '../../text/json.ts'
import { readCount } from '../../text/reported-usage.ts'
import { smallerCap } from '../call-limits.ts'
import type { JsonObject, LastRequestChanges } from './dialect.ts'

export { readCount, readText }

/** Returns a JSON object; an empty one for any other value. */
export function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the objects of a list; an empty list for any other value. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the JSON schema of a tool's arguments; that of any object for a value that is none. */
export function readSchema(value: unknown): JsonObject {
  return isObject(value) ? value : { type: 'object', properties: {} }
}

/** Returns the arguments of a tool call that are written as JSON; an empty object when they are not. */
export function readArguments(json: unknown): Record<string, unknown> {
  const value = typeof json === 'string' ? parseJsonOrNull(json) : json
  return isObject(value) ? value : {}
}

/**
 * Returns the text of a message's content: a text, or a list of parts in the form of any provider. A part that is not
 * text is replaced by its kind, such as `[image]`.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return contentText([content])
  if (!Array.isArray(content)) return ''
  return content.map(partText).join('')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isObject(part)) return ''
  if (typeof part.text === 'string') return part.text
  if (typeof part.refusal === 'string') return part.refusal
  const kind = readText(part.type)
  if (/image/.test(kind)) return '[image]'
  if (/audio/.test(kind)) return '[audio]'
  if (/file|document/.test(kind)) return '[file]'
  return ''
}

/**
 * Returns the smaller of the output cap of a request and that of the budget, under the name of the field; nothing when
 * there is neither.
 */
export function loweredCap(field: string, requested: unknown, budgetCap: number | null): JsonObject {
  const cap = smallerCap(readCount(requested), budgetCap)
  return cap === null ? {} : { [field]: cap }
}

/** Returns the members of a body about its tools. The choice of a tool that is left out is left out, too. */
export function toolMembers(body: JsonObject, tools: readonly JsonObject[], isKept: boolean): JsonObject {
  if (tools.length === 0) return {}
  return {
    tools,
    ...(body.tool_choice !== undefined && isKept ? { tool_choice: body.tool_choice } : {}),
    ...(body.parallel_tool_calls === undefined ? {} : { parallel_tool_calls: body.parallel_tool_calls }),
  }
}

/** Returns a body without some of its members. */
export function without(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Returns the settings of a request by OpenAI's names. Those that are left to the provider are absent. */
export function writeSampling({ temperature, topP, reasoningEffort }: ModelSampling): JsonObject {
  return withoutNull({ temperature, top_p: topP, reasoning_effort: reasoningEffort })
}

/** Returns the error body that OpenAI's clients show. */
export function writeOpenAiError(_status: number, message: string, code: string): JsonObject {
  return { error: { message, type: 'invalid_request_error', param: null, code } }
}

/** Returns one event of a `text/event-stream` body. */
export function eventText(data: JsonObject, name: string | null = null): string {
  return `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** The tools of a last request. */
interface LastTools {
  readonly tools: readonly JsonObject[]
  /** Whether the model must call one of them, or must not call any. */
  readonly choice: 'required' | 'none'
}

/**
 * Returns the tools of a last request. When the request demands a tool call, the agent takes its answer from that call,
 * so its own tools are kept. Otherwise all tools are kept, because the conversation contains calls of them, but the
 * model must not call any.
 *
 * @param readNames the names of the functions that a tool contains
 */
export function lastTools(
  tools: readonly JsonObject[],
  demandsCall: boolean,
  { isWebTool }: LastRequestChanges,
  readNames: (tool: JsonObject) => readonly string[],
): LastTools {
  const answerTools = tools.filter(tool => !readNames(tool).every(isWebTool))
  return demandsCall && answerTools.length > 0
    ? { tools: answerTools, choice: 'required' }
    : { tools, choice: 'none' }
}

/** Whether OpenAI's `tool_choice` demands a call. */
export function demandsOpenAiCall(choice: unknown): boolean {
  const { type, mode, allowed_tools } = readObject(choice)
  if (type === undefined) return choice === 'required'
  return type !== 'allowed_tools' || (mode ?? readObject(allowed_tools).mode) === 'required'
}
