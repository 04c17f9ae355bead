import { isObject } from '../text/json.ts'

/** A tool call whose arguments are not valid JSON, in the format of LangChain's messages. */
export interface InvalidCall {
  readonly type: 'invalid_tool_call'
  readonly id: string
  readonly name: string
  readonly args: string
  readonly error: string
}

interface RepairedCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * Repairs a message of a chat completion in place, because LangChain fails on these mistakes of servers:
 * - a missing role, content in parts or as an object, a refusal among the parts;
 * - calls that are not a list, without the member `function`, or in the old member `function_call`;
 * - calls without an id or with the id of another call;
 * - arguments that are an object, empty, `null` or encoded twice.
 *
 * @returns the calls whose arguments are not valid JSON. They are removed from the message, because LangChain prints a
 *   warning for a message that has no other calls.
 */
export function repairMessage(message: Record<string, unknown>): InvalidCall[] {
  message.role = 'assistant'
  message.refusal = typeof message.refusal === 'string' ? message.refusal : refusalInParts(message.content)
  message.content = plainContent(message.content)
  const current = Array.isArray(message.tool_calls) ? message.tool_calls : []
  const old = message.function_call
  const calls = current.length === 0 && isObject(old) ? [{ function: old }] : current
  delete message.function_call
  const seenIds = new Set<string>()
  const repaired = calls.map((call: unknown, index) => repairCall(call, index, seenIds))
  message.tool_calls = repaired.filter(call => problemOf(call) === null)
  return repaired.flatMap(call => {
    const error = problemOf(call)
    const { name, arguments: args } = call.function
    return error === null ? [] : [{ type: 'invalid_tool_call' as const, id: call.id, name, args, error }]
  })
}

/** Returns the problem of a call's arguments; null when they are valid JSON. */
function problemOf(call: RepairedCall): string | null {
  try {
    JSON.parse(call.function.arguments)
    return null
  } catch (error) {
    return `its arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

function repairCall(call: unknown, index: number, seenIds: Set<string>): RepairedCall {
  const outer = isObject(call) ? call : {}
  const inner = isObject(outer.function) ? outer.function : outer
  const given = typeof outer.id === 'number' ? String(outer.id) : outer.id
  const isUsable = typeof given === 'string' && given !== '' && !seenIds.has(given)
  const id = isUsable ? given : `call_${index}_${seenIds.size}`
  seenIds.add(id)
  return {
    id,
    type: 'function',
    function: {
      name: typeof inner.name === 'string' ? inner.name : '',
      arguments: argumentsText(inner.arguments),
    },
  }
}

function argumentsText(given: unknown): string {
  if (typeof given !== 'string') return JSON.stringify(given ?? {})
  // Servers refuse `null` when they get it back.
  if (given.trim() === '' || given.trim() === 'null') return '{}'
  if (!given.trim().startsWith('"')) return given
  try {
    const inner: unknown = JSON.parse(given)
    return typeof inner === 'string' ? argumentsText(inner) : given
  } catch {
    // Invalid JSON is reported to the agent unchanged.
    return given
  }
}

function plainContent(content: unknown): string | null {
  if (content === null || content === undefined) return null
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(partText).join('') : JSON.stringify(content)
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  return isObject(part) && typeof part.text === 'string' ? part.text : ''
}

function refusalInParts(content: unknown): string | null {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  for (const part of parts)
    if (isObject(part) && part.type === 'refusal' && typeof part.refusal === 'string') return part.refusal
  return null
}
