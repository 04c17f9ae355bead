import type { AttemptRun } from './attempt-run.ts'
import { shortenToolResults, toolResultsStrategy } from './context-fit.ts'
import type { Conversation } from './conversation.ts'
import type { ProgressWatch } from './progress.ts'
import type { LoopNotes } from './prompts/notes.ts'

/** A quarter of the context window is left for an answer, at most this many tokens. */
const answerTokens = 8_192
const minAnswerTokens = 64

/** The parts of the loop state that depend on the context window. */
export interface LoopWindow {
  readonly run: AttemptRun
  readonly conversation: Conversation
  readonly progress: ProgressWatch
  readonly notes: LoopNotes
  /** Local tokens that bound tools add to each request. */
  readonly toolTokens: number
  /** The context window that a refusal of the provider revealed, in local tokens; null to use the declared one. */
  provenWindow: number | null
  /** The last turn that the model answered. It has not seen the results of that turn yet. */
  answeredStep: number
}

/** Returns the most local tokens of the messages in the model's context window; null for no limit. */
export function maxMessageTokens(loop: LoopWindow, final: boolean): number | null {
  const { model, maxOutputTokens } = loop.run.environment
  const proven = loop.provenWindow
  if (model.contextWindow === null) return proven
  const most = final ? minAnswerTokens : Math.min(maxOutputTokens ?? answerTokens, model.contextWindow / 4)
  const ratio = loop.run.meter.inputFor(1_000) / 1_000
  const room = Math.floor((model.contextWindow - most) / ratio) - loop.toolTokens
  return proven === null ? room : Math.min(room, proven)
}

/** Shortens tool results to a number of tokens. Returns false when that is not enough. */
export function shortenConversationTo(loop: LoopWindow, limitTokens: number): boolean {
  const { run, conversation, progress } = loop
  const marker = loop.notes.shortened
  const fitted = shortenToolResults({ conversation, limitTokens, step: loop.answeredStep, marker })
  if (fitted.shortened.length > 0) {
    for (const { callKey, fullText } of fitted.shortened) progress.forget(callKey, fullText)
    const shortened = fitted.shortened.map(result => result.callId)
    run.emit({ type: 'context-cut', strategy: toolResultsStrategy, documents: [], shortened })
  }
  return fitted.fits
}
