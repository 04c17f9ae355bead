import type { JsonObject, LastRequest } from './dialect.ts'
import { objectOf } from './fields.ts'

/** The tools of a last request. */
export interface LastTools {
  readonly tools: readonly JsonObject[]
  /** Whether the model must call one of them, or must not call any. */
  readonly choice: 'required' | 'none'
}

/**
 * Returns the tools of a last request. When the request demands a tool call, the agent takes its answer from that call,
 * so its own tools are kept. Otherwise all tools are kept, because the conversation contains calls of them, but the
 * model must not call any.
 *
 * @param namesOf the names of the functions that a tool contains
 */
export function lastTools(
  tools: readonly JsonObject[],
  demandsCall: boolean,
  { isWebTool }: LastRequest,
  namesOf: (tool: JsonObject) => readonly string[],
): LastTools {
  const own = tools.filter(tool => !namesOf(tool).every(isWebTool))
  return demandsCall && own.length > 0 ? { tools: own, choice: 'required' } : { tools, choice: 'none' }
}

/** Whether OpenAI's `tool_choice` demands a call. */
export function demandsOpenAiCall(choice: unknown): boolean {
  const { type, mode, allowed_tools } = objectOf(choice)
  if (type === undefined) return choice === 'required'
  return type !== 'allowed_tools' || (mode ?? objectOf(allowed_tools).mode) === 'required'
}
