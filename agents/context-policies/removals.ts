import type { EventBody } from '../../logs/events.ts'
import { clipText } from '../../src/text/plain-text.ts'
import type { Conversation, ConversationEntry, MessagePart, ShownResult } from '../conversation.ts'
import type { LoopWindow } from '../window.ts'

/** A tool result in the conversation, with its place. */
export interface PlacedResult {
  readonly entry: ConversationEntry
  readonly part: MessagePart
  readonly result: ShownResult
}

/** A tool result that a policy shortened or removed. */
export interface RemovedResult {
  readonly result: ShownResult
  /** How many characters of it are still in the conversation. */
  readonly keptChars: number
}

/** Returns the tool results of a conversation, oldest first. */
export function listResults(conversation: Conversation): PlacedResult[] {
  return conversation.entries.flatMap(entry =>
    entry.parts.flatMap(part => (part.result === null ? [] : [{ entry, part, result: part.result }])),
  )
}

/**
 * Replaces a result with one line that names the call. Results up to the length of this line are kept.
 *
 * @returns whether the result was replaced
 */
export function replaceByNote(loop: LoopWindow, { entry, part, result }: PlacedResult): boolean {
  const note = result.wrap(loop.notes.removed(clipText(result.callKey, maxCallChars, maxCallChars - 1)))
  if (part.text.length <= note.length) return false
  loop.conversation.rewrite(entry, part, note)
  return true
}

/** Replaces results by notes, in the given order, until the conversation fits. Returns whether it fits. */
export function replaceUntilFits(
  loop: LoopWindow,
  policy: string,
  results: readonly PlacedResult[],
  limitTokens: number,
): boolean {
  const removed: RemovedResult[] = []
  for (const result of results) {
    if (loop.conversation.tokens() <= limitTokens) break
    if (replaceByNote(loop, result)) removed.push({ result: result.result, keptChars: 0 })
  }
  recordRemoved(loop, policy, removed)
  return loop.conversation.tokens() <= limitTokens
}

/** Records removed results in the trace. Repeating their calls does not count as a lack of progress. */
export function recordRemoved(
  { run, progress }: LoopWindow,
  policy: string,
  removed: readonly RemovedResult[],
  removedMessages: readonly number[] = [],
): void {
  if (removed.length + removedMessages.length === 0) return
  for (const { result } of removed) progress.forget(result.callKey, result.fullText)
  run.emit(removalEvent(policy, removed, removedMessages))
}

/** Describes removed results for the trace. */
export function removalEvent(
  policy: string,
  removed: readonly RemovedResult[],
  removedMessages: readonly number[] = [],
): Extract<EventBody, { type: 'context-cut' }> {
  return {
    type: 'context-cut',
    strategy: policy,
    documents: [],
    shortened: removed.map(({ result }) => result.callId),
    removed: removed.map(({ result: { step, callId, tool, url, fullText }, keptChars }) => ({
      step,
      callId,
      tool,
      url,
      keptChars,
      chars: fullText.length,
    })),
    ...(removedMessages.length === 0 ? {} : { removedMessages: [...removedMessages] }),
  }
}

const maxCallChars = 200
