import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'

/** Why an attempt ended: a closed set (`unknown` is for imported logs alone). */
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
  provider: ['rate-limited', 'unavailable', 'timeout', 'auth', 'content-filter', 'bad-response'],
  harness: ['crash', 'replay-miss'],
  operator: ['cancelled'],
  unknown: ['unmapped'],
} as const

export type TerminationCause = keyof typeof terminationReasons

/** Causes by which a provider or the harness ended an attempt, through no fault of the agent. */
export const infrastructureCauses = ['provider', 'harness'] as const
type InfrastructureCause = (typeof infrastructureCauses)[number]

/** Whether a provider or the harness ended an attempt. */
export function isInfrastructureCause(cause: string): cause is InfrastructureCause {
  return infrastructureCauses.some(one => one === cause)
}

/** Whether an attempt that ended by this cause is left unscored: a provider, the harness or the operator ended it. */
export function isUnscoredCause(cause: string): cause is InfrastructureCause | 'operator' {
  return isInfrastructureCause(cause) || cause === 'operator'
}

const endOf = <C extends TerminationCause>(cause: C) =>
  z.object({ cause: z.literal(cause), reason: z.enum(terminationReasons[cause]) })

/** Cause and reason together, so that no pair outside the closed set can be written. */
export const endSchema = z.discriminatedUnion('cause', [
  endOf('agent'),
  endOf('budget'),
  endOf('provider'),
  endOf('harness'),
  endOf('operator'),
  endOf('unknown'),
])
export type AttemptEnd = z.infer<typeof endSchema>

export const terminationSchema = endSchema.and(
  z.object({
    answerProduced: z.boolean(),
    forcedFinal: z.boolean(),
    /** The last step (model turn, 1-based) that ended well; 0 when none did. */
    lastHealthyStep: z.int(),
    detail: z.string().nullable(),
    /** The service whose failure only the operator can fix, such as a refused key; absent for every other end. */
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
 * Whether the same command makes an attempt that ended so again: it was cancelled, or a service failed in a way that only
 * the operator can fix.
 */
export function isUnfinished({ cause, fatalService }: Pick<Termination, 'cause' | 'fatalService'>): boolean {
  return cause === 'operator' || fatalService !== undefined
}

const cutOff = 'cut off before an answer: not in the usage'

/** A termination's detail where so many model calls were given up while the provider may have been at work on them. */
export function detailOfCutOff(calls: number, detail: string | null): string {
  const note = `${calls} model ${calls === 1 ? 'call' : 'calls'} ${cutOff}`
  return detail === null ? note : `${detail}; ${note}`
}

/** Whether the usage of an attempt with that detail leaves calls out: its trace has what they were charged. */
export function hasCallsCutOff(detail: string | null): boolean {
  return detail?.endsWith(cutOff) ?? false
}

const count = z.int().min(0)
const share = z.number().min(0).max(1)

const toolCallsSchema = z.object({
  /** Calls that came to an end. Those that the budget refused are not made; reading on in a fetched page is no fetch. */
  calls: count,
  /** Failed ones by error class, such as `timeout`; classes without any are absent. */
  failed: z.record(z.string(), count),
})

/** How an attempt's searches and fetches went. */
export const toolFailuresSchema = z.object({ search: toolCallsSchema, fetch: toolCallsSchema })
export type ToolFailures = z.infer<typeof toolFailuresSchema>

/** What a tool does on the web. */
export type ToolKind = keyof ToolFailures

/**
 * Tokens as the provider billed them; null where it did not say. Money in US dollars; times in milliseconds. Counts and
 * times are null only in imported attempts whose log does not say, and in those that crashed.
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
 * What an attempt used: tokens, calls, milliseconds and US dollars. Null: unknown.
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
  /** The table as read, written again as CSV; null when none could be read. */
  csv: z.string().nullable(),
  rows: count.nullable(),
  columns: z.array(z.string()).nullable(),
  /** The kind of answer that was asked for, where one could be read. */
  parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
  parseNote: z.string().nullable(),
  /** The value as read, where JSON was asked for and could be read; `csv`, `rows` and `columns` are then null. */
  json: z.unknown().optional(),
  /** The text without its reasoning, where a text was asked for; `csv`, `rows` and `columns` are then null. */
  text: z.string().optional(),
})
export type Answer = z.infer<typeof answerSchema>

export const contextSchema = z.object({
  documents: z.array(
    z.object({
      hint: z.string(),
      chars: count,
      charsInPrompt: count,
      problem: z.string().nullable(),
      /** True where pages of it were read off their images; absent in records of older versions. */
      ocr: z.boolean().optional(),
    }),
  ),
  cutStrategy: z.string().nullable(),
})
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
      /** The agent tried to open it and never could; absent where it opened it or never tried. */
      triedStep: count.optional(),
      query: z.string().nullable(),
      url: z.string().nullable(),
    }),
  ),
  recall: z.object({ surfaced: recall, opened: recall, parsed: recall, used: recall }),
  distractorsOpened: count,
})
export type Discovery = z.infer<typeof discoverySchema>

export const retrievalSchema = z.object({
  retriever: z.string(),
  embedder: z.string(),
  k: count,
  /** What was asked: the task's query, or one a column; absent in records of older versions. */
  queries: z.array(z.string()).optional(),
  chunksInPrompt: count,
  charsInPrompt: count,
  /** Tokens of those chunks by the model's local count; absent in records of older versions. */
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
   * For each findable gold cell, in the gold's order, the rank (1-based) among the retrieved chunks at which its
   * evidence is complete; null: never. Absent in records of older versions.
   */
  evidenceRanks: z.array(z.int().min(1).nullable()).optional(),
})
export type Retrieval = z.infer<typeof retrievalSchema>

/** One line of attempts.jsonl. */
export const attemptSchema = z.object({
  attemptId: z.string(),
  /** Imported attempts: the id that the foreign log gave the sample, else FILE:LINE; absent in a run's own. */
  sourceId: z.string().optional(),
  taskId: z.string(),
  benchmark: z.string(),
  domain: z.string(),
  /** What reports can group it by besides the domain, such as `{ tier: 'hard' }`. Absent: nothing, or a record of an older version. */
  facets: z.record(z.string(), z.string()).optional(),
  /** A BCP 47 language tag. */
  language: z.string(),
  /** Who ran it: `tablehunt` is our own loop. Absent in imported attempts and in records of older versions. */
  agent: z.string().optional(),
  setting: z.string(),
  /** What differs from the defaults, such as `cot=off`; '' when nothing does. */
  variant: z.string(),
  model: z.string(),
  trial: count,
  seed: z.int(),
  startedAt: z.string(),
  endedAt: z.string(),
  termination: terminationSchema,
  usage: usageSchema,
  /** Absent where no tool was called, and in records of older versions. */
  toolFailures: toolFailuresSchema.optional(),
  /** Of a conversation: the answer to its last question. */
  answer: answerSchema,
  /** What each question of a conversation came to, in their order. Absent: the task has one question. */
  turns: z.array(z.object({ answer: answerSchema })).optional(),
  context: contextSchema.nullable(),
  /** Null where what is evidence of the task is not known: discovery, leaks by gold and some classes are then null too. */
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
