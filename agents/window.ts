import type { StructuredToolInterface } from '@langchain/core/tools'
import type { AttemptRun } from './attempt-run.ts'
import type { Conversation } from './conversation.ts'
import type { ProgressWatch } from './progress.ts'
import type { LoopNotes } from './prompts/notes.ts'

/** A quarter of the context window is left for an answer, at most this many tokens. */
const answerTokens = 8_192
const minAnswerTokens = 64
/** Local tokens from which a request that is refused for an unknown reason may be too long. */
export const longRequestTokens = 2_000

/** The parts of the loop state that depend on the context window. */
export interface LoopWindow {
  readonly run: AttemptRun
  readonly conversation: Conversation
  readonly progress: ProgressWatch
  readonly notes: LoopNotes
  /** The tools bound to the model. Empty when they are offered through text. */
  readonly tools: readonly StructuredToolInterface[]
  /** Local tokens that bound tools add to each request. */
  readonly toolTokens: number
  /** The context window that a refusal of the provider revealed, in local tokens; null to use the declared one. */
  provenWindow: number | null
  /** The last turn that the model answered. It has not seen the results of that turn yet. */
  answeredStep: number
}

/** Returns the most local tokens of the messages in the model's context window; null for no limit. */
export function maxMessageTokens(loop: LoopWindow, final: boolean): number | null {
  const { model } = loop.run.environment
  if (model.contextWindow === null) return loop.provenWindow
  return tokensWithin(loop, model.contextWindow - (final ? minAnswerTokens : tokensForAnswer(loop)))
}

/** Returns the local tokens of the messages that fill a share of the context window; null when the window is unknown. */
export function shareOfWindow(loop: LoopWindow, share: number): number | null {
  const { contextWindow } = loop.run.environment.model
  if (contextWindow !== null) return tokensWithin(loop, contextWindow * share)
  return loop.provenWindow === null ? null : Math.floor(loop.provenWindow * share)
}

/** Returns the tokens that a turn may write. The context window must have room for them. */
export function tokensForAnswer({ run }: LoopWindow): number {
  const { model, maxOutputTokens } = run.environment
  const most = maxOutputTokens ?? answerTokens
  return model.contextWindow === null ? most : Math.min(most, model.contextWindow / 4)
}

/** Converts tokens as the provider bills them to local tokens of messages. */
function tokensWithin(loop: LoopWindow, billed: number): number {
  const ratio = loop.run.meter.inputFor(1_000) / 1_000
  const room = Math.floor(billed / ratio) - loop.toolTokens
  return loop.provenWindow === null ? room : Math.min(room, loop.provenWindow)
}
