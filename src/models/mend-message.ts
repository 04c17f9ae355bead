type Fields = Record<string, unknown>

/** A call whose arguments cannot be read, as LangChain's messages hold it. */
export interface BrokenCall {
  readonly type: 'invalid_tool_call'
  readonly id: string
  readonly name: string
  readonly args: string
  readonly error: string
}

interface MendedCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * Mends in place what servers get wrong in a message of a chat completion and LangChain stumbles over: no role, content in
 * parts or as an object, a refusal among the parts, calls that are no list, that stand flat or in the old
 * `function_call`, without an id or with the same one, arguments as an object, empty or encoded twice. Calls whose
 * arguments are no JSON are taken out and returned: LangChain warns on the console of a message that has no others.
 */
export function mendMessage(message: Fields): BrokenCall[] {
  message.role = 'assistant'
  message.refusal = typeof message.refusal === 'string' ? message.refusal : refusalInParts(message.content)
  message.content = plainContent(message.content)
  const asked = Array.isArray(message.tool_calls) ? message.tool_calls : []
  const old = message.function_call
  const calls = asked.length === 0 && isFields(old) ? [{ function: old }] : asked
  delete message.function_call
  const seen = new Set<string>()
  const mended = calls.map((call: unknown, index) => mendedCall(call, index, seen))
  message.tool_calls = mended.filter(call => problemOf(call) === null)
  return mended.flatMap(call => {
    const error = problemOf(call)
    const { name, arguments: args } = call.function
    return error === null ? [] : [{ type: 'invalid_tool_call' as const, id: call.id, name, args, error }]
  })
}

/** What is wrong with a call's arguments; null: nothing. */
function problemOf(call: MendedCall): string | null {
  try {
    JSON.parse(call.function.arguments)
    return null
  } catch (error) {
    return `its arguments are no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

function mendedCall(call: unknown, index: number, seen: Set<string>): MendedCall {
  const outer = isFields(call) ? call : {}
  const inner = isFields(outer.function) ? outer.function : outer
  const given = typeof outer.id === 'number' ? String(outer.id) : outer.id
  const id =
    typeof given !== 'string' || given === '' || seen.has(given) ? `call_${index}_${seen.size}` : given
  seen.add(id)
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
  if (given.trim() === '') return '{}'
  if (!given.trim().startsWith('"')) return given
  try {
    const inner: unknown = JSON.parse(given)
    return typeof inner === 'string' ? inner : given
  } catch {
    // Broken: the agent is told of it as it stands.
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
  return isFields(part) && typeof part.text === 'string' ? part.text : ''
}

function refusalInParts(content: unknown): string | null {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  for (const part of parts)
    if (isFields(part) && part.type === 'refusal' && typeof part.refusal === 'string') return part.refusal
  return null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
