import type { AttemptEnd, Usage } from '../../src/core/attempt.ts'
import type { CallUsage } from '../events.ts'

/** A call of a tool as a foreign log has it; `args` that are JSON text are read. */
export interface ForeignCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** One message of a foreign conversation. `at` is ISO 8601; null where the log does not say. */
export type ForeignMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning: string | null
      readonly calls: readonly ForeignCall[]
      /** Calls that could not be read. */
      readonly malformed: readonly {
        readonly name: string
        readonly args: string
        readonly problem: string
      }[]
      readonly finishReason: string | null
      readonly usage: CallUsage | null
      readonly at: string | null
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly text: string
      /** What the tool failed with; null where it answered. */
      readonly error: string | null
      readonly at: string | null
    }

export type ForeignEnd = AttemptEnd & {
  readonly forcedFinal: boolean
  /** False where the log says that what stands as an answer is none. */
  readonly answered: boolean
  /** The log's own words; null where it has none. */
  readonly detail: string | null
}

/** One attempt as a foreign log tells it; null is what the log does not say. */
export interface ForeignAttempt {
  /** The log's own id of the sample. */
  readonly sourceId: string | null
  /** What was asked, by the log's name for it; attempts of one task compare across logs. */
  readonly taskId: string | null
  readonly question: string | null
  readonly benchmark: string | null
  readonly domain: string | null
  readonly setting: string | null
  readonly model: string | null
  /** Which repeat of the task, from 0. */
  readonly trial: number | null
  readonly messages: readonly ForeignMessage[]
  /** The final answer as the agent wrote it. */
  readonly answerText: string | null
  readonly end: ForeignEnd
  readonly usage: { readonly [K in keyof Usage]?: Usage[K] | undefined }
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** A record of a foreign log, or why it is none. `line` is 1-based; of a file without lines, the record's place in it. */
export type ReadRecord =
  | { readonly line: number; readonly attempt: ForeignAttempt }
  | { readonly line: number; readonly problem: string }

/** Reads the attempts of one file. DataError where the file as a whole is no log of the format. */
export type ReadLog = (path: string) => AsyncIterable<ReadRecord>

/** What all formats leave open. */
export const unsaid: Omit<ForeignAttempt, 'end'> = {
  sourceId: null,
  taskId: null,
  question: null,
  benchmark: null,
  domain: null,
  setting: null,
  model: null,
  trial: null,
  messages: [],
  answerText: null,
  usage: {},
  startedAt: null,
  endedAt: null,
}

/** The end for words that no rule knows: kept, never guessed at. */
export function unmapped(words: string | null): ForeignEnd {
  return { cause: 'unknown', reason: 'unmapped', forcedFinal: false, answered: false, detail: words }
}

/** An end of our closed set, with the log's words. */
export function mapped(
  end: AttemptEnd,
  detail: string,
  more: { readonly forcedFinal?: boolean; readonly answered?: boolean } = {},
): ForeignEnd {
  const { forcedFinal = false, answered = end.cause === 'agent' || forcedFinal } = more
  return { ...end, forcedFinal, answered, detail }
}
