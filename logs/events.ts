import { z } from 'zod/v4'
import { budgetKinds } from '../src/core/budget.ts'
import { answerKindNames } from '../src/core/metric.ts'
import { terminationSchema } from '../src/core/termination.ts'
import {
  callUsageSchema,
  count,
  messageSchema,
  observationSchema,
  removedResultSchema,
  storedTextSchema,
  toolCallSchema,
} from './event-parts.ts'

const bodies = [
  /** The first event. */
  z.object({
    type: z.literal('attempt-started'),
    /** The id of the task. */
    taskId: z.string(),
    /** The setting. */
    setting: z.string(),
    /** The model under test. */
    model: z.string(),
    /** The number of the repetition, from 0. */
    trial: count,
    /** The budgets by their names. */
    caps: z.record(z.string(), z.number()),
  }),
  /**
   * The attempt continues the recorded part of another one. Its trace refers to that part and does not repeat it. Readers of
   * traces put the events of that part in the place of this one.
   */
  z.object({
    type: z.literal('forked'),
    /** The id of the source attempt. */
    source: z.string(),
    /** The first model turn that was asked live. */
    atStep: count,
    /** SHA-256 of the blob with the events of the recorded part, one JSON object a line. */
    prefix: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** A request to the model is sent. */
  z.object({
    type: z.literal('model-called'),
    /** What a side request is for, such as `state-note`. Absent for a turn of the agent. */
    side: z.string().optional(),
    /** The messages that were added or changed since the previous call. A side request lists its own messages. */
    messages: z.array(messageSchema),
    /** The names of the tools that are offered. */
    tools: z.array(z.string()),
    /** Tokens that were reserved in the budget. */
    reservedTokens: count,
    /** The limit of the answer in tokens; null without a limit. */
    maxOutputTokens: count.nullable(),
  }),
  /** The model answers. */
  z.object({
    type: z.literal('model-answered'),
    /** The text of the answer. */
    text: storedTextSchema,
    /** The reasoning; null when the provider sends none. */
    reasoning: storedTextSchema.nullable(),
    /** The tool calls that can be made. */
    toolCalls: z.array(toolCallSchema),
    /** Tool calls that could not be read: name and input as written, and the problem. */
    malformedCalls: z.array(
      z.object({
        /** The name of the tool. */
        name: z.string(),
        /** The input as the model wrote it. */
        args: z.string(),
        /** Why it could not be read. */
        problem: z.string(),
      }),
    ),
    /** Why the model stopped, in the provider's words. */
    finishReason: z.string(),
    /** What was billed; null when the provider does not report it. */
    usage: callUsageSchema.nullable(),
    /** Time until the answer. */
    wallMs: count,
  }),
  /** The model server left tool calls in the text of its answer. */
  z.object({
    type: z.literal('calls-left-in-text'),
    /** How many of the calls were read from the text, and carried out as if the server had read them. */
    calls: count,
    /** How many parts of the text look like a call but could not be read. */
    unread: count,
    /** The forms of the calls, such as `hermes` or `glm` (docs/online-options.md). */
    forms: z.array(z.string()),
  }),
  /** A tool is called. */
  z.object({
    type: z.literal('tool-called'),
    /** The id that the model gave the call. */
    callId: z.string(),
    /** The name of the tool. */
    tool: z.string(),
    /** The input. */
    args: z.unknown(),
  }),
  /** A tool answers. */
  z.object({
    type: z.literal('tool-answered'),
    /** The id of the call. */
    callId: z.string(),
    /** The name of the tool. */
    tool: z.string(),
    /** The text that the model reads. */
    text: storedTextSchema,
    /** True when the text was cut. */
    truncated: z.boolean(),
    /** Search results and opened documents, for discovery and evidence. */
    observations: z.array(observationSchema),
    /** Time until the answer. */
    wallMs: count,
  }),
  /** A tool fails. */
  z.object({
    type: z.literal('tool-failed'),
    /** The id of the call. */
    callId: z.string(),
    /** The name of the tool. */
    tool: z.string(),
    /** The error class, such as `timeout`. */
    errorClass: z.string(),
    /** The text that the model reads. */
    message: z.string(),
    /** True when the web or our infrastructure failed, so that the agent could not have done better. */
    infrastructure: z.boolean(),
    /** Documents that were downloaded but could not be shown. Absent when there were none. */
    observations: z.array(observationSchema).optional(),
    /** Time until the failure. */
    wallMs: count,
  }),
  /** Something is charged to a budget. */
  z.object({
    type: z.literal('budget-charged'),
    /** The budget. */
    kind: z.enum(budgetKinds),
    /** How much is charged, in the unit of the budget. */
    amount: z.number(),
    /** How much is spent with it, in the unit of the budget. */
    total: z.number(),
    /** What it is charged for. */
    what: z.string(),
  }),
  /** A budget does not cover a call. The call is not made. */
  z.object({
    type: z.literal('budget-refused'),
    /** The budget. */
    kind: z.enum(budgetKinds),
    /** How much was asked for, in the unit of the budget. */
    asked: z.number(),
    /** How much was left, in the unit of the budget. */
    left: z.number(),
    /** What it was for. */
    what: z.string(),
  }),
  /** A provider bills more than was reserved. */
  z.object({
    type: z.literal('budget-overrun'),
    /** The budget. */
    kind: z.enum(budgetKinds),
    /** How much was reserved, in the unit of the budget. */
    reserved: z.number(),
    /** How much was billed, in the unit of the budget. */
    billed: z.number(),
  }),
  /** Documents are shortened to fit the context window, or a context policy removes tool results from the conversation. */
  z.object({
    type: z.literal('context-cut'),
    /** How documents are cut; for tool results the context policy, such as `keep-last:5` (docs/online-options.md). */
    strategy: z.string(),
    /** The documents of the prompt. */
    documents: z.array(
      z.object({
        /** The name of the document. */
        hint: z.string(),
        /** Length of its text. */
        chars: count,
        /** How much of it is in the prompt. */
        charsInPrompt: count,
      }),
    ),
    /** Ids of the calls whose results were shortened or removed (online). */
    shortened: z.array(z.string()),
    /** These results, in the same order. Absent for documents. */
    removed: z.array(removedResultSchema).optional(),
    /** Numbers of the messages that are no longer part of the conversation. Absent when there are none. */
    removedMessages: z.array(count).optional(),
  }),
  /** A request to a model or a service is repeated. */
  z.object({
    type: z.literal('provider-retried'),
    /** What is repeated. */
    what: z.string(),
    /** Why. */
    reason: z.string(),
    /** The number of the retry, from 1. */
    retry: count,
    /** The wait before it. */
    waitMs: count,
  }),
  /** The agent meets, or asks for, a source that gives answers away. */
  z.object({
    type: z.literal('leak-found'),
    /** The address; null when a search result has none. */
    url: z.string().nullable(),
    /** `blocked`: on the block list, no request was sent. `canary`: rows of the gold in the result of a tool. */
    how: z.enum(['blocked', 'canary']),
    /** The rule, or the values that were found. */
    detail: z.string(),
  }),
  /** A model reads a page for the goal of a tool call (`--goal-reading`). Its tokens are charged to the attempt. */
  z.object({
    type: z.literal('page-read-for-goal'),
    /** The reader: the model under test, or the model that `--reader-model` names. */
    model: z.string(),
    /** The address of the page. */
    url: z.string(),
    /** The goal, as the agent wrote it. */
    goal: z.string(),
    /** What the reader answered. */
    answer: storedTextSchema,
    /** What was billed; null when the provider does not report it or the reader did not answer. */
    usage: callUsageSchema.nullable(),
    /** Why the reader did not answer. The agent then sees the page itself. Absent when the reader answered. */
    problem: z.string().optional(),
    /** Time until the answer. */
    wallMs: count,
  }),
  /** The best answer so far, asked for on the side (`checkpointTokens`). */
  z.object({
    type: z.literal('checkpoint'),
    /** What the attempt had spent at this point. */
    tokens: count,
    /** The answer. */
    answer: storedTextSchema,
    /** Tokens of this answer alone; null when the provider does not report it. Absent in imported logs. */
    usage: callUsageSchema.nullable().optional(),
    /** Cost of this answer alone; null when the price is unknown. Absent in imported logs. */
    usd: z.number().nullable().optional(),
    /** Time for this answer alone. Absent in imported logs. */
    wallMs: count.optional(),
    /** Why there is no answer. Absent when there is one. */
    problem: z.string().optional(),
  }),
  /** The final answer is read. */
  z.object({
    type: z.literal('answer-parsed'),
    /** The kind of answer, when one could be read; `unreadable` or `none` otherwise. */
    parseStatus: z.enum([...answerKindNames, 'unreadable', 'none']),
    /** Data rows of the table; null when no table could be read. */
    rows: count.nullable(),
    /** Names of its columns; null when no table could be read. */
    columns: z.array(z.string()).nullable(),
    /**
     * SHA-256 of a blob that lists the documents of the task and the texts that the agent was shown. Absent when it
     * was not stored.
     */
    sight: z.string().optional(),
  }),
  /** What an external agent wrote beside its answer; the last part of it when it is long. */
  z.object({
    type: z.literal('agent-output'),
    /** Which of its outputs. */
    stream: z.enum(['stdout', 'stderr']),
    /** The text, without secrets. */
    text: storedTextSchema,
  }),
  /** How the process of an external agent ended. */
  z.object({
    type: z.literal('agent-exited'),
    /** The exit code; null when a signal killed it. */
    exitCode: z.int().nullable(),
    /** The name of the signal; null when the program ended by itself. */
    signal: z.string().nullable(),
  }),
  /** The last event. */
  z.object({
    type: z.literal('terminated'),
    /** Why and how the attempt ended, as in attempts.jsonl. */
    termination: terminationSchema,
  }),
] as const

/** The fields of an event that depend on its type. */
export const eventBodySchema = z.discriminatedUnion('type', bodies)
/** The fields of an event that depend on its type. */
export type EventBody = z.infer<typeof eventBodySchema>
/** The name of an event type, such as `model-called`. */
export type EventType = EventBody['type']

/** The fields that every event has. `step` is the model turn, 1-based; 0 before the first turn. */
export const envelopeSchema = z.object({
  /** The number of the event, from 0. */
  seq: count,
  /** When it happened (ISO 8601). */
  at: z.string(),
  /** The attempt. */
  attemptId: z.string(),
  /** The model turn, from 1; 0 before the first. */
  step: count,
})

/** One line of a trace. */
export type TraceEvent = z.infer<typeof envelopeSchema> & EventBody

/** Events of one type, or of several types. */
export type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>
