import type { Usage } from '../../core/attempt.ts'

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
