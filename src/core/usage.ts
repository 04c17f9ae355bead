import { z } from 'zod/v4'

const count = z.int().min(0)

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
export const callsInTextSchema = z.object({
  /** How many of these calls were read from the text, and carried out as if the server had read them. */
  calls: count,
  /** How many parts of the text look like a call but could not be read. */
  unread: count,
  /** The forms of the calls, such as `hermes` or `glm` (docs/online-options.md). */
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

/** The usage of an attempt when it is unknown: every field is null, never 0. */
export const unknownUsage: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  modelCalls: null,
  searchCalls: null,
  fetchCalls: null,
  toolErrors: null,
  wallMs: null,
  workingMs: null,
  usd: null,
  usdModel: null,
  usdSearch: null,
  usdFetch: null,
}

/** Returns a usage without a part of it. Unknown counts stay unknown. Times are those of the whole. */
export function subtractUsage(whole: Usage, part: Usage): Usage {
  const rest = (all: number | null, some: number | null): number | null =>
    all === null || some === null ? null : Math.max(0, all - some)
  return {
    ...whole,
    inputTokens: rest(whole.inputTokens, part.inputTokens),
    cachedInputTokens: rest(whole.cachedInputTokens, part.cachedInputTokens ?? 0),
    outputTokens: rest(whole.outputTokens, part.outputTokens),
    reasoningTokens: rest(whole.reasoningTokens, part.reasoningTokens ?? 0),
    modelCalls: rest(whole.modelCalls, part.modelCalls),
    searchCalls: rest(whole.searchCalls, part.searchCalls),
    fetchCalls: rest(whole.fetchCalls, part.fetchCalls),
    toolErrors: rest(whole.toolErrors, part.toolErrors),
    usd: rest(whole.usd, part.usd),
    usdModel: rest(whole.usdModel, part.usdModel),
    usdSearch: rest(whole.usdSearch, part.usdSearch),
    usdFetch: rest(whole.usdFetch, part.usdFetch),
  }
}

/** Adds two numbers. The sum is null when one of them is unknown. */
export function addOrNull(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
