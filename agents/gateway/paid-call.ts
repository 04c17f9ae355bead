import type { AIMessage } from '@langchain/core/messages'
import { ProviderError } from '../../src/core/errors.ts'
import { readUsage } from '../../src/models/message-usage.ts'
import { readModelAnswer } from '../../src/models/model-answer.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation } from '../budget.ts'
import { isCutOff, localOutputTokens, recordWait, settleAnswer, settleUnanswered } from '../model-call.ts'

/** A model call of an external agent that the budget covers. Exactly one of `answered` and `failed` is called. */
export interface PaidModelCall {
  /** The output cap to send with the request; null for none. */
  readonly maxOutputTokens: number | null
  /** Records that the request waits because the provider refused others; null when the wait is over. */
  held(by: ProviderError | null, waitedMs: number): void
  /** Records the answer in usage, trace and budget. */
  answered(answer: AIMessage): void
  /**
   * Records a call without a complete answer. The call still counts. Its tokens are charged if the provider may have
   * processed the request: as billed when known, otherwise by the local count.
   *
   * @param message the part of the answer that arrived; null for none
   */
  failed(error: unknown, message: AIMessage | null): void
}

/** What a call that the budget covers needs. */
interface PaidCallInput {
  readonly run: AttemptRun
  readonly reservation: Reservation
  /** The output cap that is sent; null for none. */
  readonly sent: number | null
  readonly signal: AbortSignal
  /** The calls in progress. Other calls wait for their reservations. */
  readonly underWay: Set<Promise<void>>
  overran(kind: MeteredKind): void
  onAnswer(answer: AIMessage): void
}

/** Opens a call whose budget is reserved. It is in progress until its answer or its failure is recorded. */
export function openPaidCall(input: PaidCallInput): PaidModelCall {
  const { run, reservation, sent, signal, overran, onAnswer } = input
  const { clock } = run.environment
  const countTokens = (text: string): number => run.environment.model.countTokens(text)
  const askedAt = clock.now()
  let isHeld = false
  const endCall = addToCallsInProgress(input.underWay)
  const chargeAnswer = (answer: AIMessage): void => {
    const { overrun } = settleAnswer(run, answer, reservation, clock.now() - askedAt)
    if (overrun !== null) overran(overrun)
    endCall()
  }
  return {
    maxOutputTokens: sent,
    held(by, waitedMs) {
      isHeld = by !== null
      recordWait(run, by, waitedMs)
    },
    answered(answer) {
      run.failing = null
      run.lastHealthyStep = run.step
      onAnswer(answer)
      chargeAnswer(answer)
    },
    failed(error, message) {
      const answer = error instanceof ProviderError ? error.answer : null
      if (error instanceof ProviderError) run.failing = error
      if (answer !== null) return chargeAnswer(answer)
      if (message !== null && readUsage(message) !== null) return chargeAnswer(message)
      const mayBeBilled = message !== null || (!isHeld && (signal.aborted || isCutOff(run, error)))
      const outputTokens = message === null ? 0 : localOutputTokens(readModelAnswer(message), countTokens)
      const overrun = settleUnanswered(run, reservation, { wasSent: mayBeBilled, outputTokens })
      if (overrun !== null) overran(overrun)
      endCall()
    },
  }
}

/** Adds a call to those in progress. Returns a function that removes it. */
function addToCallsInProgress(underWay: Set<Promise<void>>): () => void {
  let resolve = (): void => undefined
  const settled = new Promise<void>(resolveSettled => (resolve = resolveSettled))
  underWay.add(settled)
  return () => {
    underWay.delete(settled)
    resolve()
  }
}
