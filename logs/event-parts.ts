import { z } from 'zod/v4'

/** A whole number, 0 or more. */
export const count = z.int().min(0)

const tokens = count.nullable()

/** Tokens that one model call was billed for. */
export const callUsageSchema = z.object({
  /** Tokens of the prompt, cached ones included; null when the provider does not report it. */
  inputTokens: tokens,
  /** Those of `inputTokens` that came from a cache; null when the provider does not report it. */
  cachedInputTokens: tokens,
  /** Tokens of the answer, reasoning included; null when the provider does not report it. */
  outputTokens: tokens,
  /** Those of `outputTokens` that were reasoning; null when the provider does not report it. */
  reasoningTokens: tokens,
  /** True when the provider's counts do not add up in any known form, so that these are a guess. Absent otherwise. */
  uncertain: z.literal(true).optional(),
})

/** Tokens that one model call was billed for; null when the provider does not report the count. */
export type CallUsage = z.infer<typeof callUsageSchema>

/**
 * What a tool call returned, identified by content. Discovery and evidence are computed from this, never from URLs
 * alone.
 */
export const observationSchema = z.discriminatedUnion('kind', [
  z.object({
    /** `hits`: the results of a search. */
    kind: z.literal('hits'),
    /** The query. */
    query: z.string(),
    /** The results, in the order of the service. */
    hits: z.array(
      z.object({
        /** The address of the page; '' when an imported log has none. */
        url: z.string(),
        /** Its title. */
        title: z.string(),
        /** The excerpt of the search service. */
        snippet: z.string(),
        /** When the page was published, in the words of the search service. Absent when it did not say. */
        date: z.string().optional(),
        /** Its rank, from 1; null when the service does not say. */
        position: z.int().nullable(),
      }),
    ),
  }),
  z.object({
    /** `body`: a page or document that was downloaded. */
    kind: z.literal('body'),
    /** The address that was requested. */
    url: z.string(),
    /** The address after all redirects. */
    finalUrl: z.string(),
    /** SHA-256 of the bytes as received; in imported logs, of the text. */
    sha256: z.string(),
    /** The type of the content. */
    contentType: z.string(),
    /** Size of the body; in imported logs, of the text. */
    bytes: count,
    /** SHA-256 of the whole text, which is stored in traces/blobs/; null when the body has no text. */
    textSha256: z.string().nullable(),
    /** The pages or parts whose text was shown to the agent, from 1. */
    shown: z.array(z.int()),
    /** Those of `shown` that were read by OCR. Absent when there were none. */
    ocr: z.array(z.int()).optional(),
    /** What of a document may be wrong or is left out, each with its place. Absent when there is nothing to say. */
    notices: z.array(z.string()).optional(),
    /** How many pages or parts the body has. */
    total: count,
    /** The addresses of the links that were shown. */
    links: z.array(z.string()),
  }),
])

/** One search result list or one opened body, as an event stores it. */
export type Observation = z.infer<typeof observationSchema>

/** A text, or the hash of a text longer than 4,000 characters, which is stored in traces/blobs/. */
export const storedTextSchema = z.union([
  z.object({
    /** The text itself. */
    text: z.string(),
  }),
  z.object({
    /** SHA-256 of the text, the name of its file in traces/blobs/. */
    blob: z.string(),
  }),
])

/** A text in an event: inline, or by its hash. */
export type StoredText = z.infer<typeof storedTextSchema>

/** A message of a request to a model. */
export const messageSchema = z.object({
  /**
   * The number of the message in the conversation, from 0. A message whose text changed is listed again with its number.
   * Absent in imported logs.
   */
  id: count.optional(),
  /** Who speaks. */
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  /** The text. */
  content: storedTextSchema,
  /** The tool call that a message of a tool answers; null for other messages. */
  toolCallId: z.string().nullable(),
  /** The reasoning of an earlier turn that is sent with a message of the model, by field. Absent: none is sent. */
  reasoning: z.record(z.string(), storedTextSchema).optional(),
})

/** A call that an answer of the model asks for. */
export const toolCallSchema = z.object({
  /** The id that the model gave the call. */
  id: z.string(),
  /** The name of the tool. */
  name: z.string(),
  /** The input, as the model wrote it. */
  args: z.unknown(),
})

/** A tool result that a context policy has shortened or removed. */
export const removedResultSchema = z.object({
  /** The model turn that called the tool. */
  step: count,
  /** The id of the call. */
  callId: z.string(),
  /** The name of the tool. */
  tool: z.string(),
  /** The address of the page or document that the result showed; null for results of other tools. */
  url: z.string().nullable(),
  /** Length of the whole result. */
  chars: count,
  /** Characters of the result that are still in the conversation. */
  keptChars: count,
})
