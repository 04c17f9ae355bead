import { type LoopWindow, maxMessageTokens } from '../window.ts'
import { type ContextPolicy, ready, windowIsFull } from './context-policy.ts'
import { recordRemoved, replaceByNote, replaceUntilFits, resultsIn } from './removals.ts'

/**
 * Before every turn, keeps the last tool results in full and replaces each older one with one line. MiroThinker does
 * the same with its option `keep_tool_result` (arXiv 2511.11793). When the kept results do not fit, the agent must
 * answer.
 */
export function keepLast(count: number): ContextPolicy {
  const name = `keep-last:${count}`
  const removeOlder = (loop: LoopWindow): void => {
    const removed = resultsIn(loop)
      .slice(0, -count)
      .filter(one => replaceByNote(loop, one))
    recordRemoved(
      loop,
      name,
      removed.map(({ result }) => ({ result, keptChars: 0 })),
    )
  }
  return {
    name,
    notice: words => words.keepLast(count),
    prepare(loop) {
      removeOlder(loop)
      const room = maxMessageTokens(loop, false)
      return room === null || loop.conversation.tokens() <= room ? ready : windowIsFull
    },
    fitLast(loop, limitTokens) {
      removeOlder(loop)
      return replaceUntilFits(loop, name, resultsIn(loop), limitTokens)
    },
  }
}
