import type { Attempt } from '../core/attempt.ts'
import type { AttemptEnd } from '../core/termination.ts'

/**
 * Creates an attempt without an answer, as tests of scorers need it.
 *
 * @param end how the attempt ended
 * @param rest fields that differ from those of the sample
 */
export const sampleAttempt = (end: AttemptEnd, rest: Partial<Attempt> = {}): Attempt => ({
  attemptId: 'a',
  taskId: 't',
  benchmark: 'contract',
  domain: 'general',
  language: 'en',
  setting: 'offline',
  options: {},
  model: 'm',
  trial: 0,
  seed: 0,
  startedAt: '',
  endedAt: '',
  termination: { ...end, answerProduced: true, forcedFinal: false, lastHealthyStep: 1, detail: null },
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    modelCalls: 1,
    searchCalls: 0,
    fetchCalls: 0,
    toolErrors: 0,
    wallMs: 0,
    workingMs: 0,
    usd: 0,
    usdModel: 0,
    usdSearch: 0,
    usdFetch: 0,
  },
  answer: { csv: null, rows: null, columns: null, parseStatus: 'none', parseNote: null },
  context: null,
  discovery: null,
  retrieval: null,
  ...rest,
})
