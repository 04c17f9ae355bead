import type { AttemptEnd } from '../../src/core/termination.ts'
import type { Usage } from '../../src/core/usage.ts'
import type { CallUsage } from '../event-parts.ts'
import type { OriginalRecord } from '../original-record.ts'

/** The name and arguments of a tool call. `args` given as JSON text are parsed. */
export interface ToolRequest {
  readonly name: string
  readonly args: unknown
}

/** A tool call in a foreign log. */
export interface ForeignCall extends ToolRequest {
  readonly id: string
}

/** A search result or a page in the result of a foreign tool. */
export type SeenPage =
  | {
      readonly kind: 'hit'
      /** The address, or the id of a document in a corpus without addresses; null when the log has neither. */
      readonly url: string | null
      readonly title: string
      readonly snippet: string
    }
  | { readonly kind: 'page'; readonly url: string; readonly text: string }

/** One message of a foreign conversation. `at` is an ISO 8601 time; null when the log does not report it. */
export type ForeignMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning: string | null
      readonly calls: readonly ForeignCall[]
      /** Calls that could not be parsed. */
      readonly malformed: readonly {
        readonly name: string
        readonly args: string
        readonly problem: string
      }[]
      readonly finishReason: string | null
      readonly usage: CallUsage | null
      readonly at: string | null
      /** False for calls of tools that no answer of the model requested. Absent for a turn of the model. */
      readonly isModelTurn?: false
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly text: string
      /** The tool's error message; null when the tool succeeded. */
      readonly error: string | null
      readonly at: string | null
      /** What the tool showed. Absent: it is read from the text (`seenPages`). */
      readonly seen?: readonly SeenPage[]
    }

export type ForeignAssistantMessage = Extract<ForeignMessage, { role: 'assistant' }>
export type ForeignToolMessage = Extract<ForeignMessage, { role: 'tool' }>

/** How a foreign attempt ended, mapped to Tablehunt's terminations. */
export type ForeignEnd = AttemptEnd & {
  readonly forcedFinal: boolean
  /** False when the log marks its answer field as not an answer. */
  readonly answered: boolean
  /** The log's own description of the end; null when it has none. */
  readonly detail: string | null
}

/** The other files that contain parts of an attempt. */
export interface LogParts {
  /** The absolute paths of the files that were read. They are no attempts of their own. */
  readonly read: readonly string[]
  /** One sentence for each part that could not be read. */
  readonly problems: readonly string[]
}

/** One attempt read from a foreign log. Null means that the log does not report the value. */
export interface ForeignAttempt {
  /** The id of the sample in the log. */
  readonly sourceId: string | null
  /** The log's name for the task. Attempts at the same task can be compared across logs. */
  readonly taskId: string | null
  readonly question: string | null
  readonly benchmark: string | null
  readonly domain: string | null
  readonly setting: string | null
  readonly model: string | null
  /** Repetition of the task, 0-based. */
  readonly trial: number | null
  readonly messages: readonly ForeignMessage[]
  /** The final answer as the agent wrote it. */
  readonly answerText: string | null
  readonly end: ForeignEnd
  readonly usage: { readonly [K in keyof Usage]?: Usage[K] | undefined }
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly endedAt: string | null
  /**
   * Set when the agent's runner repeats failed attempts: the last of the attempts with one name counts. Absent
   * otherwise.
   */
  readonly retry?: { readonly of: string; readonly number: number }
  /** Identifies the attempt in every log that contains it. Absent: the format has no such name. */
  readonly uuid?: string
  /** The other files that the attempt continues in or refers to. Absent when there are none. */
  readonly parts?: LogParts
  /** The attempt as Tablehunt recorded it, when the log is an export of Tablehunt. Absent otherwise. */
  readonly original?: OriginalRecord
}

/**
 * Why a record could not be read: it is cut off, it is damaged, it is not of the format, or the record that Tablehunt put into
 * it is of another version.
 */
export const logProblemCodes = [
  'cut-log-record',
  'damaged-log-record',
  'unknown-log-record',
  'damaged-original-record',
] as const
export type LogProblemCode = (typeof logProblemCodes)[number]

/**
 * An attempt, or the reason why a record could not be read. `line` is 1-based; in a file without lines it is the
 * index of the record.
 */
export type ReadRecord =
  | { readonly line: number; readonly attempt: ForeignAttempt }
  | { readonly line: number; readonly problem: string; readonly code?: LogProblemCode }

/**
 * Reads the attempts of one file.
 *
 * @throws DataError when the file is not a log of this format
 */
export type ReadLog = (path: string) => AsyncIterable<ReadRecord>

/** Defaults for the fields that no format reports. */
export const unreportedFields: Omit<ForeignAttempt, 'end'> = {
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

/** Returns the end for words that no rule covers. It contains the words, and its cause is unknown. */
export function unmapped(words: string | null): ForeignEnd {
  return { cause: 'unknown', reason: 'unmapped', forcedFinal: false, answered: false, detail: words }
}

/** The fields of an assistant message that formats without call details do not report. */
export const unreportedTurn = {
  reasoning: null,
  malformed: [],
  finishReason: null,
  usage: null,
  at: null,
} as const

/** Returns an end with a known cause and reason, together with the log's words. */
export function mapped(
  end: AttemptEnd,
  detail: string,
  more: { readonly forcedFinal?: boolean; readonly answered?: boolean } = {},
): ForeignEnd {
  const { forcedFinal = false, answered = end.cause === 'agent' || forcedFinal } = more
  return { ...end, forcedFinal, answered, detail }
}

/** Returns the texts of a conversation, which an original record leaves out. */
export function conversationTexts(messages: readonly ForeignMessage[]): string[] {
  return messages.flatMap(message =>
    message.role === 'assistant'
      ? [message.text, ...(message.reasoning === null ? [] : [message.reasoning])]
      : [message.text],
  )
}
