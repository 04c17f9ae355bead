import { isObject, parseJsonOrNull, readText } from '../../src/text/json.ts'
import type { ForeignCall, ForeignMessage, ToolRequest } from './foreign-log.ts'
import { unreportedTurn } from './foreign-log.ts'
import { readArguments, readContent } from './message-parts.ts'
import { withoutServer } from './tool-kinds.ts'

/** An item of a session, with its time. */
export type CodexItem = Readonly<Record<string, unknown>> & { readonly at: string | null }

type CodexTurn = Extract<ForeignMessage, { role: 'assistant' }>

/** Reads a call; null for any other item. */
function readCodexCall(item: CodexItem, index: number): ForeignCall | null {
  const id = readText(item.call_id) || readText(item.id) || `call-${index}`
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
      return {
        id,
        name: withoutServer(readText(item.name)),
        args: readArguments(item.arguments ?? item.input),
      }
    case 'local_shell_call':
      return { id, name: 'local_shell', args: item.action ?? {} }
    case 'web_search_call':
      return { id, ...readWebCall(item.action) }
    default:
      return null
  }
}

/** The hosted web search also opens pages and searches them. The log does not contain its results. */
function readWebCall(action: unknown): ToolRequest {
  const { type, ...args } = isObject(action) ? action : {}
  if (type === 'open_page') return { name: 'open_page', args }
  return { name: type === 'find_in_page' ? 'find_in_page' : 'web_search', args }
}

/** The text of a result: text, parts, or JSON of parts in text. */
function readOutput(output: unknown): string {
  if (typeof output !== 'string') {
    const inner = isObject(output) ? (output.content ?? output.output ?? output) : output
    return readContent(inner).text
  }
  const value = output.startsWith('[') || output.startsWith('{') ? parseJsonOrNull(output) : null
  const isParts =
    Array.isArray(value) && value.length > 0 && value.every(part => isObject(part) && 'type' in part)
  return isParts ? readContent(value).text : output
}

function readThought(item: CodexItem): string {
  return [readContent(item.summary).text, readContent(item.content).text].filter(Boolean).join('\n')
}

/**
 * Builds the messages of a session. All items of the model before a result belong to one turn.
 *
 * @param failed the ids of failed calls, with the reason
 */
export function readItems(
  items: readonly CodexItem[],
  failed: ReadonlyMap<string, string>,
): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  const names = new Map<string, string>()
  let turn: CodexTurn | null = null
  const inTurn = (change: Partial<CodexTurn>, at: string | null): void => {
    const before: CodexTurn = turn ?? { role: 'assistant', text: '', calls: [], ...unreportedTurn, at }
    const changed: CodexTurn = { ...before, ...change, at }
    if (turn === null) messages.push(changed)
    else messages[messages.length - 1] = changed
    turn = changed
  }
  const current = (): CodexTurn | null => turn
  for (const [index, item] of items.entries()) {
    const call = readCodexCall(item, index)
    if (call !== null) {
      names.set(call.id, call.name)
      inTurn({ calls: [...(current()?.calls ?? []), call] }, item.at)
    } else if (item.type === 'reasoning') {
      const before = current()?.reasoning ?? null
      const thought = readThought(item)
      if (thought !== '') inTurn({ reasoning: before === null ? thought : `${before}\n${thought}` }, item.at)
    } else if (item.type === 'message' && item.role === 'assistant') {
      const turnText = [current()?.text ?? '', readContent(item.content).text].filter(Boolean).join('\n')
      inTurn({ text: turnText }, item.at)
    } else if (item.type === 'message') {
      turn = null
      messages.push({ role: item.role === 'user' ? 'user' : 'system', text: readContent(item.content).text })
    } else if (/_output$/.test(readText(item.type))) {
      turn = null
      const callId = readText(item.call_id)
      messages.push({
        role: 'tool',
        callId,
        tool: names.get(callId) ?? 'unnamed',
        text: readOutput(item.output),
        error: failed.get(callId) ?? null,
        at: item.at,
      })
    }
  }
  return messages
}
