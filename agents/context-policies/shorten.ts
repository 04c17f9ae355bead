import { type LoopWindow, maxMessageTokens } from '../window.ts'
import { type ContextPolicy, ready, windowIsFull } from './context-policy.ts'
import { recordRemoved } from './removals.ts'
import { shortenToolResults } from './shorten-results.ts'

/** Shortens old tool results when the conversation no longer fits. The default. */
export const shorten: ContextPolicy = {
  name: 'shorten',
  notice: words => words.shorten,
  prepare(loop) {
    const room = maxMessageTokens(loop, false)
    return room === null || shortenTo(loop, 'shorten', room) ? ready : windowIsFull
  },
  fitLast: (loop, limitTokens) => shortenTo(loop, 'shorten', limitTokens),
}

/** Shortens tool results to a number of tokens. Returns false when that is not enough. */
export function shortenTo(loop: LoopWindow, policy: string, limitTokens: number): boolean {
  const { conversation, answeredStep: step, notes } = loop
  const { fits, shortened } = shortenToolResults({ conversation, limitTokens, step, marker: notes.shortened })
  recordRemoved(loop, policy, shortened)
  return fits
}
