import { z } from 'zod/v4'
import { terminationSchema } from '../src/core/attempt.ts'
import { budgetKinds } from '../src/core/budget.ts'
import { answerKindNames } from '../src/core/metric.ts'

const count = z.int().min(0)
const tokens = count.nullable()
const callUsage = z.object({
  inputTokens: tokens,
  cachedInputTokens: tokens,
  outputTokens: tokens,
  reasoningTokens: tokens,
})
/** Tokens that one model call was billed for; null when the provider does not report the count. */
export type CallUsage = z.infer<typeof callUsage>

/**
 * What a tool call returned, identified by content. Discovery and evidence are computed from this, never from URLs
 * alone.
 */
export const observationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hits'),
    query: z.string(),
    hits: z.array(
      z.object({ url: z.string(), title: z.string(), snippet: z.string(), position: z.int().nullable() }),
    ),
  }),
  z.object({
    kind: z.literal('body'),
    /** The requested URL; `finalUrl` is the URL after all redirects. */
    url: z.string(),
    finalUrl: z.string(),
    /** Hash of the bytes as received. */
    sha256: z.string(),
    contentType: z.string(),
    bytes: count,
    /** Hash of the whole text of the body, stored in the run's blobs; null when the body has no text. */
    textSha256: z.string().nullable(),
    /** Pages or parts whose text was shown to the agent, 1-based. */
    shown: z.array(z.int()),
    /** The shown pages that were read by OCR; absent when there were none. */
    ocr: z.array(z.int()).optional(),
    total: count,
    links: z.array(z.string()),
  }),
])
/** One search result list or one opened body, as an event stores it. */
export type Observation = z.infer<typeof observationSchema>

/** A text, or the hash of a text longer than 4,000 characters, which is stored in traces/blobs/. */
export const storedTextSchema = z.union([z.object({ text: z.string() }), z.object({ blob: z.string() })])
/** A text in an event: inline, or by its hash. */
export type StoredText = z.infer<typeof storedTextSchema>

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: storedTextSchema,
  toolCallId: z.string().nullable(),
})
const toolCall = z.object({ id: z.string(), name: z.string(), args: z.unknown() })

const bodies = [
  z.object({
    type: z.literal('attempt-started'),
    taskId: z.string(),
    setting: z.string(),
    model: z.string(),
    trial: count,
    caps: z.record(z.string(), z.number()),
  }),
  /** `messages` contains only the messages added since the previous call. */
  z.object({
    type: z.literal('model-called'),
    messages: z.array(message),
    tools: z.array(z.string()),
    reservedTokens: count,
    maxOutputTokens: count.nullable(),
  }),
  z.object({
    type: z.literal('model-answered'),
    text: storedTextSchema,
    reasoning: storedTextSchema.nullable(),
    toolCalls: z.array(toolCall),
    malformedCalls: z.array(z.object({ name: z.string(), args: z.string(), problem: z.string() })),
    finishReason: z.string(),
    usage: callUsage.nullable(),
    wallMs: count,
  }),
  z.object({ type: z.literal('tool-called'), callId: z.string(), tool: z.string(), args: z.unknown() }),
  z.object({
    type: z.literal('tool-answered'),
    callId: z.string(),
    tool: z.string(),
    text: storedTextSchema,
    truncated: z.boolean(),
    observations: z.array(observationSchema),
    wallMs: count,
  }),
  z.object({
    type: z.literal('tool-failed'),
    callId: z.string(),
    tool: z.string(),
    errorClass: z.string(),
    message: z.string(),
    infrastructure: z.boolean(),
    /** Bodies that were downloaded but could not be shown; absent when there were none. */
    observations: z.array(observationSchema).optional(),
    wallMs: count,
  }),
  z.object({
    type: z.literal('budget-charged'),
    kind: z.enum(budgetKinds),
    amount: z.number(),
    total: z.number(),
    what: z.string(),
  }),
  z.object({
    type: z.literal('budget-refused'),
    kind: z.enum(budgetKinds),
    asked: z.number(),
    left: z.number(),
    what: z.string(),
  }),
  z.object({
    type: z.literal('budget-overrun'),
    kind: z.enum(budgetKinds),
    reserved: z.number(),
    billed: z.number(),
  }),
  z.object({
    type: z.literal('context-cut'),
    strategy: z.string(),
    documents: z.array(z.object({ hint: z.string(), chars: count, charsInPrompt: count })),
    /** Call ids of the tool results that were shortened (online setting). */
    shortened: z.array(z.string()),
  }),
  z.object({
    type: z.literal('provider-retried'),
    what: z.string(),
    reason: z.string(),
    retry: count,
    waitMs: count,
  }),
  z.object({
    type: z.literal('leak-found'),
    url: z.string().nullable(),
    how: z.enum(['blocked', 'canary']),
    detail: z.string(),
  }),
  /**
   * `tokens`: what the attempt had spent at this point. `usage`, `usd` and `wallMs` are the cost of the
   * checkpoint's own answer.
   */
  z.object({
    type: z.literal('checkpoint'),
    tokens: count,
    answer: storedTextSchema,
    usage: callUsage.nullable().optional(),
    usd: z.number().nullable().optional(),
    wallMs: count.optional(),
    /** Why there is no answer. */
    problem: z.string().optional(),
  }),
  z.object({
    type: z.literal('answer-parsed'),
    parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
    rows: count.nullable(),
    columns: z.array(z.string()).nullable(),
    /**
     * Hash of the blob that lists the task's documents and the texts shown to the agent; absent when it was not
     * stored.
     */
    sight: z.string().optional(),
  }),
  /** What an external agent wrote beside its answer; the last part of it when it is long. */
  z.object({
    type: z.literal('agent-output'),
    stream: z.enum(['stdout', 'stderr']),
    text: storedTextSchema,
  }),
  /** How the process of an external agent ended. `signal` is the name of the signal that killed it, such as SIGKILL. */
  z.object({
    type: z.literal('agent-exited'),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
  }),
  z.object({ type: z.literal('terminated'), termination: terminationSchema }),
] as const

/** The fields of an event that depend on its type. */
export const eventBodySchema = z.discriminatedUnion('type', bodies)
/** The fields of an event that depend on its type. */
export type EventBody = z.infer<typeof eventBodySchema>
/** The name of an event type, such as `model-called`. */
export type EventType = EventBody['type']

/** The fields that every event has. `step` is the model turn, 1-based; 0 before the first turn. */
export const envelopeSchema = z.object({ seq: count, at: z.string(), attemptId: z.string(), step: count })

/** One line of a trace. */
export type TraceEvent = z.infer<typeof envelopeSchema> & EventBody
