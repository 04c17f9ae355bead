import type { AIMessage } from '@langchain/core/messages'
import { ProviderError } from '../../src/core/errors.ts'
import { usageOf } from '../../src/models/message-usage.ts'
import type { AttemptRun } from '../attempt-run.ts'
import type { MeteredKind, Reservation } from '../budget.ts'
import { readModelAnswer } from '../model-answer.ts'
import { isCutOff, localOutputTokens, settle } from '../model-call.ts'

/** A model call of an external agent that the budget covers. Exactly one of `answered` and `failed` is called. */
export interface PaidModelCall {
  /** The output cap to send with the request; null: none. */
  readonly maxOutputTokens: number | null
  /** Notes that the request waits because the provider refused others; null: it is sent after all. */
  held(by: ProviderError | null, waitedMs: number): void
  /** Books the answer: usage, trace and budget. */
  answered(answer: AIMessage): void
  /**
   * Books a call without a complete answer. The call stays counted; its tokens are charged when the provider may have
   * worked: as billed if that is known, otherwise by the local count.
   *
   * @param read the part of the answer that arrived; null: none
   */
  failed(error: unknown, read: AIMessage | null): void
}

/** What a call that the budget covers needs. */
export interface PaidCallInput {
  readonly run: AttemptRun
  readonly reservation: Reservation
  /** The output cap that is sent; null: none. */
  readonly sent: number | null
  readonly signal: AbortSignal
  /** The calls under way, for those who wait for their reservations. */
  readonly underWay: Set<Promise<void>>
  overran(kind: MeteredKind): void
  onAnswer(answer: AIMessage): void
}

/** Opens a call whose budget is reserved. It is under way until its answer or its failure is booked. */
export function openPaidCall(input: PaidCallInput): PaidModelCall {
  const { run, reservation, sent, signal, overran, onAnswer } = input
  const { clock } = run.environment
  const askedAt = clock.now()
  let isHeld = false
  const over = announce(input.underWay)
  const book = (answer: AIMessage): void => {
    const { overrun } = settle(run, answer, reservation, clock.now() - askedAt)
    if (overrun !== null) overran(overrun)
    over()
  }
  return {
    maxOutputTokens: sent,
    held(by, waitedMs) {
      isHeld = by !== null
      // An attempt whose time runs out while it waits for its provider ends by its provider.
      run.failing = by
      if (by === null) run.usage.waits(clock.now() - waitedMs, waitedMs)
    },
    answered(answer) {
      run.failing = null
      run.lastHealthyStep = run.step
      onAnswer(answer)
      book(answer)
    },
    failed(error, read) {
      const answer = error instanceof ProviderError ? error.answer : null
      if (error instanceof ProviderError) run.failing = error
      if (answer !== null) return book(answer)
      if (read !== null && usageOf(read) !== null) return book(read)
      const mayHaveWorked = read !== null || (!isHeld && (signal.aborted || isCutOff(run, error)))
      if (mayHaveWorked) settleUnbilled(input, read)
      else reservation.release()
      over()
    },
  }
}

/** Adds a call to those under way, and returns what ends it. */
function announce(underWay: Set<Promise<void>>): () => void {
  let resolve = (): void => undefined
  const settled = new Promise<void>(done => (resolve = done))
  underWay.add(settled)
  return () => {
    underWay.delete(settled)
    resolve()
  }
}

/** Charges a call whose bill is unknown by the local count of what arrived. */
function settleUnbilled({ run, reservation, overran }: PaidCallInput, read: AIMessage | null): void {
  run.usage.modelCutOff()
  const count = (text: string): number => run.environment.model.countTokens(text)
  const output = read === null ? 0 : localOutputTokens(readModelAnswer(read), count)
  const overrun = reservation.settle(null, output)
  if (overrun !== null) overran(overrun)
}
