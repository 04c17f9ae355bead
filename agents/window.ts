import type { AttemptRun } from './attempt-run.ts'
import { fitResults, resultsStrategy } from './context-fit.ts'
import type { Conversation } from './conversation.ts'
import type { ProgressWatch } from './progress.ts'
import type { LoopNotes } from './prompts/notes.ts'

/** Tokens of a window that are left for an answer: a quarter of it, at most this. */
const answerTokens = 8_192
const leastAnswerTokens = 64

/** The parts of the loop that the window bears on. */
export interface FittedLoop {
  readonly run: AttemptRun
  readonly conversation: Conversation
  readonly progress: ProgressWatch
  readonly notes: LoopNotes
  /** Local count of what bound tools add to each request. */
  readonly toolTokens: number
  /** The window as the provider's own refusal showed it, in local tokens; null: as declared. */
  provenWindow: number | null
  /** The last turn that the model answered: it has not seen the results of that one yet. */
  answeredStep: number
}

/** Local tokens that the messages may have in the model's window; null: no limit. */
export function windowRoom(loop: FittedLoop, final: boolean): number | null {
  const { model, maxOutputTokens } = loop.run.environment
  const proven = loop.provenWindow
  if (model.contextWindow === null) return proven
  const most = final ? leastAnswerTokens : Math.min(maxOutputTokens ?? answerTokens, model.contextWindow / 4)
  const ratio = loop.run.meter.inputFor(1_000) / 1_000
  const room = Math.floor((model.contextWindow - most) / ratio) - loop.toolTokens
  return proven === null ? room : Math.min(room, proven)
}

/** Shortens tool results to the room; false where that is not enough. */
export function shortenTo(loop: FittedLoop, limitTokens: number): boolean {
  const { run, conversation, progress } = loop
  const marker = loop.notes.shortened
  const fitted = fitResults({ conversation, limitTokens, step: loop.answeredStep, marker })
  if (fitted.shortened.length > 0) {
    for (const { callKey, fullText } of fitted.shortened) progress.forget(callKey, fullText)
    const shortened = fitted.shortened.map(result => result.callId)
    run.emit({ type: 'context-cut', strategy: resultsStrategy, documents: [], shortened })
  }
  return fitted.fits
}
