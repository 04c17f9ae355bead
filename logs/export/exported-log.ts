import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import type { ForeignMessage } from '../import/foreign-log.ts'
import type { OriginalRecord } from '../original-record.ts'

/** A JSON object of an export. */
export type Json = Readonly<Record<string, unknown>>

/** An attempt that is written in the format of another program. */
export interface ExportedLog {
  /** The name of its run. */
  readonly run: string
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The final answer as the model wrote it; null without one. */
  readonly answerText: string | null
  readonly messages: readonly ForeignMessage[]
  /** The budgets of the attempt by their names. */
  readonly caps: Readonly<Record<string, number>>
  /** What comes back whole when Tablehunt reads the export. */
  readonly original: OriginalRecord
}

/** Returns the final answer when no message of the model is it, as with agents that write it to a file; null otherwise. */
export function answerBesideMessages({ messages, answerText }: ExportedLog): string | null {
  const last = messages.findLast(message => message.role === 'assistant')
  return last?.text === answerText ? null : answerText
}
