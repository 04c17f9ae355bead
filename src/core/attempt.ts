import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'

/** The reasons why an attempt ended, by cause: a closed set. Only imported logs use `unknown`. */
export const terminationReasons = {
  agent: ['answered', 'answered-without-table', 'refused', 'no-progress'],
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
  provider: ['rate-limited', 'unavailable', 'timeout', 'auth', 'content-filter', 'bad-response'],
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
  z.object({ cause: z.literal(cause), reason: z.enum(terminationReasons[cause]) })

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
    answerProduced: z.boolean(),
    forcedFinal: z.boolean(),
    /** The last step (model turn, 1-based) that succeeded; 0 when none did. */
    lastHealthyStep: z.int(),
    detail: z.string().nullable(),
    /** The service whose failure only the operator can fix, such as a refused key. Absent for any other end. */
    fatalService: z.string().optional(),
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
 * Whether the same command repeats an attempt with this end: it was cancelled, or a service failed in a way that only the
 * operator can fix.
 */
export function isUnfinished({ cause, fatalService }: Pick<Termination, 'cause' | 'fatalService'>): boolean {
  return cause === 'operator' || fatalService !== undefined
}

const cutOff = 'cut off before an answer: not in the usage'

/**
 * Adds a note to the detail of a termination: how many model calls were abandoned before their answer, so that the usage
 * does not include them.
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
  /** Finished calls. Calls that the budget refused do not count, nor does reading another part of a fetched page. */
  calls: count,
  /** Failed calls by error class, such as `timeout`. Classes without a failure are absent. */
  failed: z.record(z.string(), count),
})

/** How many searches and fetches of an attempt were made, and how many failed. */
export const toolFailuresSchema = z.object({ search: toolCallsSchema, fetch: toolCallsSchema })
/** How many searches and fetches of an attempt were made, and how many failed. */
export type ToolFailures = z.infer<typeof toolFailuresSchema>

/** What a tool does on the web: `search` or `fetch`. */
export type ToolKind = keyof ToolFailures

/**
 * Tokens as the provider billed them, or null when it did not say. Money is in US dollars, time in milliseconds. Counts and
 * times are null only in imported attempts whose log does not say, and in attempts that crashed.
 */
export const usageSchema = z.object({
  inputTokens: count.nullable(),
  cachedInputTokens: count.nullable(),
  outputTokens: count.nullable(),
  reasoningTokens: count.nullable(),
  modelCalls: count.nullable(),
  searchCalls: count.nullable(),
  fetchCalls: count.nullable(),
  toolErrors: count.nullable(),
  wallMs: count.nullable(),
  workingMs: count.nullable(),
  usd: z.number().nullable(),
  usdModel: z.number().nullable(),
  usdSearch: z.number().nullable(),
  usdFetch: z.number().nullable(),
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
  /** The table that was read, as CSV; null when none could be read. */
  csv: z.string().nullable(),
  rows: count.nullable(),
  columns: z.array(z.string()).nullable(),
  /** The kind of answer that was asked for, when one could be read; `none` when there is no answer. */
  parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
  parseNote: z.string().nullable(),
  /** The value, when JSON was asked for and could be read; `csv`, `rows` and `columns` are then null. */
  json: z.unknown().optional(),
  /** The text without its reasoning, when a text was asked for; `csv`, `rows` and `columns` are then null. */
  text: z.string().optional(),
})
/** What could be read of an attempt's answer. */
export type Answer = z.infer<typeof answerSchema>

/** The documents in the prompt of an offline or RAG attempt. */
export const contextSchema = z.object({
  documents: z.array(
    z.object({
      hint: z.string(),
      chars: count,
      charsInPrompt: count,
      problem: z.string().nullable(),
      /** True when the text of some pages was recognised from images. Absent in records of older versions. */
      ocr: z.boolean().optional(),
    }),
  ),
  cutStrategy: z.string().nullable(),
})
/** The documents in the prompt of an offline or RAG attempt. */
export type Context = z.infer<typeof contextSchema>

const step = count.nullable()
const recall = share.nullable()
const discoverySchema = z.object({
  hints: z.array(
    z.object({
      hint: z.string(),
      surfacedStep: step,
      openedStep: step,
      parsedStep: step,
      usedStep: step,
      /** The step at which the agent first tried to open it, when every try failed. Absent otherwise. */
      triedStep: count.optional(),
      query: z.string().nullable(),
      url: z.string().nullable(),
    }),
  ),
  recall: z.object({ surfaced: recall, opened: recall, parsed: recall, used: recall }),
  distractorsOpened: count,
})
/** Which documents of the task an online attempt found, and at which step. */
export type Discovery = z.infer<typeof discoverySchema>

/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export const retrievalSchema = z.object({
  retriever: z.string(),
  embedder: z.string(),
  k: count,
  /** The queries: the task's own, or one for each column. Absent in records of older versions. */
  queries: z.array(z.string()).optional(),
  chunksInPrompt: count,
  charsInPrompt: count,
  /** Tokens of those chunks, counted locally for the model. Absent in records of older versions. */
  tokensInPrompt: count.optional(),
  coverage: recall,
  evidenceInPrompt: recall,
  evidenceRecall: z.record(z.string(), recall),
  cellsFindable: count.nullable(),
  cellsUnfindable: count.nullable(),
  noise: recall,
  starvedHints: z.array(z.string()),
  medianEvidenceRank: z.number().nullable(),
  /**
   * For each findable gold cell, in the gold's order: the 1-based rank of the retrieved chunk that completes its evidence;
   * null when no chunk does. Absent in records of older versions.
   */
  evidenceRanks: z.array(z.int().min(1).nullable()).optional(),
})
/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export type Retrieval = z.infer<typeof retrievalSchema>

/** One line of attempts.jsonl. */
export const attemptSchema = z.object({
  attemptId: z.string(),
  /** The id of the sample in an imported log, otherwise FILE:LINE. Absent in attempts that were not imported. */
  sourceId: z.string().optional(),
  taskId: z.string(),
  benchmark: z.string(),
  domain: z.string(),
  /** What reports can group by besides the domain, such as `{ tier: 'hard' }`. Absent when empty, and in older records. */
  facets: z.record(z.string(), z.string()).optional(),
  /** A BCP 47 language tag. */
  language: z.string(),
  /** Who ran it; `tablehunt` is the built-in agent. Absent in imported attempts and in records of older versions. */
  agent: z.string().optional(),
  setting: z.string(),
  /** The options that differ from the defaults, such as `cot=off`; '' when none do. */
  variant: z.string(),
  model: z.string(),
  trial: count,
  seed: z.int(),
  startedAt: z.string(),
  endedAt: z.string(),
  termination: terminationSchema,
  usage: usageSchema,
  /** Absent when no tool was called, and in records of older versions. */
  toolFailures: toolFailuresSchema.optional(),
  /** In a conversation: the answer to the last question. */
  answer: answerSchema,
  /** The answers of a conversation, in the order of its questions. Absent when the task has one question. */
  turns: z.array(z.object({ answer: answerSchema })).optional(),
  context: contextSchema.nullable(),
  /** Null when the task's evidence is unknown. Then discovery, leaks by gold and some loss classes are null too. */
  evidence: z.null().optional(),
  discovery: discoverySchema.nullable(),
  retrieval: retrievalSchema.nullable(),
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
