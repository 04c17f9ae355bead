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
export type CallUsage = z.infer<typeof callUsage>

/** What a tool saw, by content: discovery and evidence are worked out from these, never from URLs alone. */
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
    /** As asked for, and where redirects ended. */
    url: z.string(),
    finalUrl: z.string(),
    /** Of the bytes as they came. */
    sha256: z.string(),
    contentType: z.string(),
    bytes: count,
    /** Hash of the body's whole text in the run's blobs; null where it has none. */
    textSha256: z.string().nullable(),
    /** Pages or parts whose text was shown to the agent, 1-based. */
    shown: z.array(z.int()),
    /** Those of them that were read off the page's image; absent where none was. */
    ocr: z.array(z.int()).optional(),
    total: count,
    links: z.array(z.string()),
  }),
])
export type Observation = z.infer<typeof observationSchema>

/** A text, or the hash of one longer than 4,000 characters that stands in traces/blobs/. */
export const storedTextSchema = z.union([z.object({ text: z.string() }), z.object({ blob: z.string() })])
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
  /** `messages` holds those that were not in the conversation at the call before. */
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
    /** Bodies that it got and could not show; absent where there were none. */
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
    /** Tool results shortened, by call id (online). */
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
  /** `tokens`: spent by the attempt when it was asked. What follows is what the answer cost the harness. */
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
    /** Hash of the blob that says what the task's documents are and which of their texts were shown; absent: not kept. */
    sight: z.string().optional(),
  }),
  z.object({ type: z.literal('terminated'), termination: terminationSchema }),
] as const

export const eventBodySchema = z.discriminatedUnion('type', bodies)
export type EventBody = z.infer<typeof eventBodySchema>
export type EventType = EventBody['type']

/** What every line of a trace carries besides its body. `step` is the model turn, 1-based; 0 before the first. */
export const envelopeSchema = z.object({ seq: count, at: z.string(), attemptId: z.string(), step: count })

export type TraceEvent = z.infer<typeof envelopeSchema> & EventBody
