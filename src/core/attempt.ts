import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'
import { plausibleMs } from './runtime.ts'

/** The reasons why an attempt ended, by cause: a closed set. Only imported logs use `unknown`. */
export const terminationReasons = {
  agent: ['answered', 'answered-without-table', 'refused', 'no-progress', 'crashed'],
  budget: [
    'tokens',
    'model-calls',
    'search-calls',
    'fetch-calls',
    'wall-clock',
    'cost',
    'context-window',
    'output-limit',
  ],
  provider: [
    'rate-limited',
    'unavailable',
    'timeout',
    'auth',
    'content-filter',
    'bad-response',
    'unparsed-calls',
  ],
  harness: ['crash', 'replay-miss'],
  operator: ['cancelled'],
  unknown: ['unmapped'],
} as const

/** Who or what ended an attempt. */
export type TerminationCause = keyof typeof terminationReasons

/** The causes that are not the agent's fault: a provider or the harness ended the attempt. */
export const infrastructureCauses = ['provider', 'harness'] as const
type InfrastructureCause = (typeof infrastructureCauses)[number]

/** Whether the cause is a provider or the harness. */
export function isInfrastructureCause(cause: string): cause is InfrastructureCause {
  return infrastructureCauses.some(one => one === cause)
}

/** Whether attempts with this cause are unscored: a provider, the harness or the operator ended them. */
export function isUnscoredCause(cause: string): cause is InfrastructureCause | 'operator' {
  return isInfrastructureCause(cause) || cause === 'operator'
}

const endOf = <C extends TerminationCause>(cause: C) =>
  z.object({
    /** What ended the attempt: the agent itself, a budget, a provider, the harness or the operator. */
    cause: z.literal(cause),
    /** Why, as one of a closed set for each cause. */
    reason: z.enum(terminationReasons[cause]),
  })

/** Cause and reason of an end. Only pairs of `terminationReasons` are valid. */
export const endSchema = z.discriminatedUnion('cause', [
  endOf('agent'),
  endOf('budget'),
  endOf('provider'),
  endOf('harness'),
  endOf('operator'),
  endOf('unknown'),
])
/** Cause and reason of an end. */
export type AttemptEnd = z.infer<typeof endSchema>

/** Why and how an attempt ended. */
export const terminationSchema = endSchema.and(
  z.object({
    /** True when an answer of the asked kind could be read. */
    answerProduced: z.boolean(),
    /** True when a budget ran out and the model was asked for its final answer. */
    forcedFinal: z.boolean(),
    /** The last model turn, from 1, that ended without a failure; 0 when there was none. */
    lastHealthyStep: z.int(),
    /** What exactly ended the attempt, such as the message of a provider; null when cause and reason say all. */
    detail: z.string().nullable(),
    /** The service whose failure only the operator can fix, such as a refused key. Absent for any other end. */
    fatalService: z.string().optional(),
    /**
     * True when the budget of the whole run ended the attempt before its own was spent, so that it says nothing about the
     * agent and stays unscored. Absent for any other end.
     */
    endedByRunBudget: z.literal(true).optional(),
  }),
)
/**
 * Why and how an attempt ended.
 *
 * @example
 * import type { Termination } from 'tablehunt'
 *
 * const endOf = ({ cause, reason }: Termination): string => `${cause} / ${reason}` // agent / answered
 */
export type Termination = z.infer<typeof terminationSchema>

/**
 * Whether the same command repeats an attempt with this end. It does after a cancellation, and after a
 * failure that only the operator can fix.
 */
export function isUnfinished({ cause, fatalService }: Pick<Termination, 'cause' | 'fatalService'>): boolean {
  return cause === 'operator' || fatalService !== undefined
}

const cutOff = 'cut off before an answer: not in the usage'

/**
 * Adds a note to the detail of a termination. The note says how many model calls were abandoned before their
 * answer, so that the usage does not include them.
 */
export function withCutOffNote(calls: number, detail: string | null): string {
  const note = `${calls} model ${calls === 1 ? 'call' : 'calls'} ${cutOff}`
  return detail === null ? note : `${detail}; ${note}`
}

/** Whether the usage of an attempt with this detail leaves out abandoned calls. Its trace contains what they were charged. */
export function hasCallsCutOff(detail: string | null): boolean {
  return detail?.endsWith(cutOff) ?? false
}

const count = z.int().min(0)
const share = z.number().min(0).max(1)

const toolCallsSchema = z.object({
  /** Finished calls. Calls that the budget refused do not count, and neither does reading on in a fetched page. */
  calls: count,
  /** Failed calls by error class, such as `timeout`; classes without a failure are absent. */
  failed: z.record(z.string(), count),
})

/** How an attempt's searches and fetches went. */
export const toolFailuresSchema = z.object({
  /** Searches. */
  search: toolCallsSchema,
  /** Fetches of pages and documents. */
  fetch: toolCallsSchema,
})
/** How many searches and fetches of an attempt were made, and how many failed. */
export type ToolFailures = z.infer<typeof toolFailuresSchema>

/** Tool calls that a model server without a parser for its model left in the text of its answers. */
const callsInTextSchema = z.object({
  /** How many of these calls were read from the text, and carried out as if the server had read them. */
  calls: count,
  /** How many parts of the text look like a call but could not be read. */
  unread: count,
  /** The forms of the calls, such as `hermes` or `glm` (docs/tool-calls.md). */
  forms: z.array(z.string()),
})
/** Tool calls that a model server left in the text of its answers. */
export type CallsInText = z.infer<typeof callsInTextSchema>

/** What a tool does on the web: `search` or `fetch`. */
export type ToolKind = keyof ToolFailures

/**
 * Tokens as the provider billed them, or null when it did not say. Money is in US dollars, time in milliseconds. Counts and
 * times are null only in imported attempts whose log does not say, and in attempts that crashed.
 */
export const usageSchema = z.object({
  /** Tokens of all prompts, cached ones included, as the provider billed them; null when it did not say. */
  inputTokens: count.nullable(),
  /** Those of `inputTokens` that came from a cache; null when the provider did not say. */
  cachedInputTokens: count.nullable(),
  /** Tokens of all answers, reasoning included; null when the provider did not say. */
  outputTokens: count.nullable(),
  /** Those of `outputTokens` that were reasoning; null when the provider did not say. */
  reasoningTokens: count.nullable(),
  /** Calls of the model under test; null when an imported log does not say, or the attempt crashed. */
  modelCalls: count.nullable(),
  /** Searches; null when an imported log does not say, or the attempt crashed. */
  searchCalls: count.nullable(),
  /** Fetches of pages and documents; null when an imported log does not say, or the attempt crashed. */
  fetchCalls: count.nullable(),
  /** Tool calls that failed; null when an imported log does not say, or the attempt crashed. */
  toolErrors: count.nullable(),
  /** Time from the beginning to the end of the attempt; null when an imported log does not say, or the attempt crashed. */
  wallMs: count.nullable(),
  /** `wallMs` without the waits before retries; null when an imported log does not say, or the attempt crashed. */
  workingMs: count.nullable(),
  /** Cost of model, searches and fetches together; null when a price is unknown. */
  usd: z.number().nullable(),
  /** Cost of the model; null when its price is unknown. */
  usdModel: z.number().nullable(),
  /** Cost of the searches; null when their price is unknown. */
  usdSearch: z.number().nullable(),
  /** Cost of the fetches; null when their price is unknown. */
  usdFetch: z.number().nullable(),
  /**
   * True when the provider's counts of some call do not add up in any known form, so that tokens and cost are a guess.
   * Absent otherwise.
   */
  uncertain: z.literal(true).optional(),
})
/**
 * What an attempt used: tokens, calls, milliseconds and US dollars. Null means unknown.
 *
 * @example
 * import { readRun, type Usage } from 'tablehunt'
 *
 * const tokensOf = ({ inputTokens, outputTokens }: Usage): number => (inputTokens ?? 0) + (outputTokens ?? 0)
 * const { attempts } = await readRun('runs/first')
 * console.log(attempts.map(({ usage }) => tokensOf(usage)))
 */
export type Usage = z.infer<typeof usageSchema>

const answerSchema = z.object({
  /** The table as read, written again as CSV; null when no table could be read. */
  csv: z.string().nullable(),
  /** Data rows of that table, without the header; null when no table could be read. */
  rows: count.nullable(),
  /** Names of its columns; null when no table could be read. */
  columns: z.array(z.string()).nullable(),
  /** The kind of answer, when one could be read; `unreadable` or `none` otherwise. */
  parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
  /** What was unusual about the answer, or why nothing could be read; null when there is nothing to say. */
  parseNote: z.string().nullable(),
  /** The value as read, when JSON was asked for; `csv`, `rows` and `columns` are then null. Absent otherwise. */
  json: z.unknown().optional(),
  /**
   * The text without its reasoning, when a text was asked for; `csv`, `rows` and `columns` are then null.
   * Absent otherwise.
   */
  text: z.string().optional(),
})
/** What could be read of an attempt's answer. */
export type Answer = z.infer<typeof answerSchema>

/** The documents in the prompt of an offline or RAG attempt. */
export const contextSchema = z.object({
  /** The documents of the prompt, in the order of the task. */
  documents: z.array(
    z.object({
      /** The name of the document, as the task gives it. */
      hint: z.string(),
      /** Length of its text. */
      chars: count,
      /** How much of it is in the prompt. */
      charsInPrompt: count,
      /**
       * How many of these are from the beginning; the others are from the end. Absent when all are.
       */
      charsFromStart: count.optional(),
      /** Why its text, or part of it, could not be read; null when all could be. */
      problem: z.string().nullable(),
      /** What of it may be wrong or is left out, each with its place. Absent when there is nothing to say. */
      notices: z.array(z.string()).optional(),
      /** True when pages were read by OCR. Absent otherwise. */
      ocr: z.boolean().optional(),
    }),
  ),
  /** How documents were cut to fit the context window (`even`, `head`, `head-tail`); null when nothing was cut. */
  cutStrategy: z.string().nullable(),
})
/** The documents in the prompt of an offline or RAG attempt. */
export type Context = z.infer<typeof contextSchema>

const step = count.nullable()
const recall = share.nullable()
const discoverySchema = z.object({
  /** Every document that is evidence of the task, reached or not. */
  hints: z.array(
    z.object({
      /** The name of the document. */
      hint: z.string(),
      /** The model turn in which a search result led to it; null when none did. */
      surfacedStep: step,
      /** The model turn in which a call downloaded it; null when none did. */
      openedStep: step,
      /** The model turn in which text of it was shown; null when none was. */
      parsedStep: step,
      /** The model turn that showed a value which the answer has right; null when there is none. */
      usedStep: step,
      /** The model turn of the first failed try to open it. Absent when it was opened or never tried. */
      triedStep: count.optional(),
      /** The query that found it; null when no search did. */
      query: z.string().nullable(),
      /** The address that it was found or opened at; null when it was neither. */
      url: z.string().nullable(),
      /** How relevant the document was judged, from 1; absent when nobody judged it. */
      relevance: count.optional(),
    }),
  ),
  /** Documents reached at each stage, over all of `hints`. */
  recall: z.object({
    /** Share that a search result led to; null without documents. */
    surfaced: recall,
    /** Share that was downloaded; null without documents. */
    opened: recall,
    /** Share of which text was shown; null without documents. */
    parsed: recall,
    /** Share of which a right value of the answer was shown; null without documents. */
    used: recall,
  }),
  /** How many altered copies of documents (`--twins`) were opened. */
  distractorsOpened: count,
  /** The ids of all documents that searches returned, in order. Absent when documents were not judged. */
  retrieved: z.array(z.string()).optional(),
})
/** Which documents of the task an online attempt found, and at which step. */
export type Discovery = z.infer<typeof discoverySchema>

/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export const retrievalSchema = z.object({
  /** The retriever, as `--retriever` names it. */
  retriever: z.string(),
  /** The embedder, as `--embedder` names it, without an address. */
  embedder: z.string(),
  /** How many chunks the retriever may return. */
  k: count,
  /** What was asked: the task's query, or one query per column. Absent for a control that asks nothing. */
  queries: z.array(z.string()).optional(),
  /** Chunks in the prompt. */
  chunksInPrompt: count,
  /** Length of these chunks. */
  charsInPrompt: count,
  /** Tokens of these chunks by the local count. Absent for a retriever that reports none. */
  tokensInPrompt: count.optional(),
  /** Mean over the documents of the share of their text that is in the prompt; null when no document has text. */
  coverage: recall,
  /** Share of the findable gold cells whose evidence is in the prompt; null when no cell is findable. */
  evidenceInPrompt: recall,
  /** The same for the first N retrieved chunks, by N; null when no cell is findable. */
  evidenceRecall: z.record(z.string(), recall),
  /** Gold cells whose value is in the text of the documents; null when the evidence is not known. */
  cellsFindable: count.nullable(),
  /** Gold cells whose value is not in that text; null when the evidence is not known. */
  cellsUnfindable: count.nullable(),
  /** Share of the retrieved characters in chunks without evidence of any gold cell; null when that is not known. */
  noise: recall,
  /** Documents with text of which no chunk is in the prompt. */
  starvedHints: z.array(z.string()),
  /** Median rank, from 1, at which the evidence of a gold cell is complete; null when it is for no cell. */
  medianEvidenceRank: z.number().nullable(),
  /**
   * For each findable gold cell, in the order of the gold, the rank from 1 at which its evidence is complete;
   * null when it never is. Absent when the evidence is not known.
   */
  evidenceRanks: z.array(z.int().min(1).nullable()).optional(),
})
/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export type Retrieval = z.infer<typeof retrievalSchema>

/** A file of an attempt, as it was when the attempt was recorded. */
const attemptFileSchema = z.object({
  /** The path of the file in the run's folder. */
  name: z.string(),
  /** Its length. */
  bytes: count,
  /** The SHA-256 of its bytes, in lower-case hex. */
  sha256: z.string(),
})
/** A file of an attempt, as it was when the attempt was recorded. */
export type AttemptFile = z.infer<typeof attemptFileSchema>

/** One line of attempts.jsonl. */
export const attemptSchema = z.object({
  /** The id, made of task, setting, model, trial and options. The same command makes the same ids. */
  attemptId: z.string(),
  /** In imported attempts: the foreign log's id of the sample, or FILE:LINE. Absent in a run's own attempts. */
  sourceId: z.string().optional(),
  /** The id of the task. */
  taskId: z.string(),
  /** The benchmark that loaded the task. */
  benchmark: z.string(),
  /** The domain of the task, such as `financial`. Reports group by it. */
  domain: z.string(),
  /**
   * Further names and values that reports can group by, such as `{ tier: 'hard' }`. Absent when there are none.
   */
  facets: z.record(z.string(), z.string()).optional(),
  /**
   * The names of the documents that the task asks about. Tasks that share documents are not independent in statistics.
   * Absent in imported attempts without a task.
   */
  documents: z.array(z.string()).optional(),
  /** The language of the task, a BCP 47 tag such as `en`. */
  language: z.string(),
  /**
   * Who ran the attempt: `tablehunt` is Tablehunt's own loop. Absent in imported attempts.
   */
  agent: z.string().optional(),
  /** How the question was asked, such as `offline`. */
  setting: z.string(),
  /** Options that differ from the defaults, by flag without `--`: `{ cot: 'off' }`. */
  options: z.record(z.string(), z.string()),
  /** The model under test, as `--model` names it, without an address. */
  model: z.string(),
  /** The number of the repetition, from 0. */
  trial: count,
  /** The seed of the run. */
  seed: z.int(),
  /** When the attempt began (ISO 8601). */
  startedAt: z.string(),
  /** When it ended (ISO 8601). */
  endedAt: z.string(),
  /** Why and how the attempt ended. */
  termination: terminationSchema,
  /** What it used. */
  usage: usageSchema,
  /** How its searches and fetches went. Absent when no tool was called. */
  toolFailures: toolFailuresSchema.optional(),
  /**
   * Its tool calls that the model server left in the text. Absent when there were none.
   */
  callsInText: callsInTextSchema.optional(),
  /** What was read of its final answer. In a conversation: the answer to the last question. */
  answer: answerSchema,
  /** The answers to the questions of a conversation, in order. Absent when the task has one question. */
  turns: z
    .array(
      z.object({
        /** The answer to this question. */
        answer: answerSchema,
      }),
    )
    .optional(),
  /** The documents of the prompt (offline and rag); null in other settings. */
  context: contextSchema.nullable(),
  /**
   * Null when the evidence of the task is not known: discovery and some loss classes are then null too. Absent
   * otherwise.
   */
  evidence: z.null().optional(),
  /** Which documents the agent found (online); null in other settings, and when the evidence is not known. */
  discovery: discoverySchema.nullable(),
  /** What was retrieved (rag); null in other settings. */
  retrieval: retrievalSchema.nullable(),
  /**
   * The documents that the setting should have received, but that are missing or have no readable text. The attempt is
   * then unscored unless `--allow-missing-documents` is given. Absent when all were read.
   */
  missingDocuments: z
    .array(
      z.object({
        /** The name of the document, as the task gives it. */
        name: z.string(),
        /** Why it has no text. */
        problem: z.string(),
      }),
    )
    .optional(),
  /**
   * The documents that tools opened and that our reader read in part or with a guess. Absent when there were none.
   */
  openedInPart: z
    .array(
      z.object({
        /** The address after all redirects. */
        url: z.string(),
        /** What of it may be wrong or is left out, each with its place. */
        notices: z.array(z.string()),
      }),
    )
    .optional(),
  /**
   * Its trace, its answers and the long texts that they refer to, as they were when the attempt was recorded. Equal runs
   * differ here, because traces contain times. Absent until the attempt is recorded.
   */
  files: z.array(attemptFileSchema).optional(),
})
/**
 * One line of attempts.jsonl: one try of one arm at one task.
 *
 * @example
 * import { type Attempt, readRun } from 'tablehunt'
 *
 * const isCut = ({ termination }: Attempt): boolean => termination.cause === 'budget'
 * const { attempts } = await readRun('runs/first')
 * console.log(attempts.filter(isCut).map(({ taskId }) => taskId))
 */
export type Attempt = z.infer<typeof attemptSchema>

/** Whether the recorded durations of an attempt cannot be right. A run measures with a monotonic clock; the clock of an imported log may have been changed. */
export function hasChangedClock({
  startedAt,
  endedAt,
  usage,
}: {
  readonly startedAt: string
  readonly endedAt: string
  readonly usage: { readonly wallMs: number | null }
}): boolean {
  const spanMs = Date.parse(endedAt) - Date.parse(startedAt)
  return Number.isFinite(spanMs) && [spanMs, usage.wallMs ?? 0].some(ms => plausibleMs(ms) === null)
}
