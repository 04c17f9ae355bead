import { shareOfWindow } from '../window.ts'
import { type ContextPolicy, ready, windowIsFull } from './context-policy.ts'
import { replaceUntilFits, resultsIn } from './removals.ts'

/** Tongyi DeepResearch demands the answer at 110k of its 128k tokens. */
export const tongyiShare = 110 / 128

/**
 * Demands the answer when the conversation fills a share of the context window, as Tongyi DeepResearch does (arXiv
 * 2510.24701). Results are removed only when they leave no room for the answer, newest first. Tongyi DeepResearch
 * replaces the last result with its demand.
 */
export function finalAnswer(share: number): ContextPolicy {
  const name = share === tongyiShare ? 'final-answer' : `final-answer:${share}`
  return {
    name,
    notice: words => words.finalAnswer(Math.round(share * 100)),
    prepare(loop) {
      const limit = shareOfWindow(loop, share)
      return limit === null || loop.conversation.tokens() <= limit ? ready : windowIsFull
    },
    fitLast(loop, limitTokens) {
      // Half of the rest of the window stays free for the answer.
      const limit = Math.min(limitTokens, shareOfWindow(loop, (1 + share) / 2) ?? limitTokens)
      return replaceUntilFits(loop, name, resultsIn(loop).reverse(), limit)
    },
  }
}
