import type { JudgeUsage } from '../../core/score.ts'
import type { Judge, JudgeOutcome, JudgeRequest, ModelJudge } from '../contract/judge.ts'

/** Counts the cost of judging one answer, and what the published procedure would have cost. */
export interface JudgeTally {
  /** Records that the published procedure would make this many calls here, with about this many tokens in total. */
  wouldCall(calls: number, tokens: number): void
  /** Asks the judge and counts its cost; null when no reply was in the required form. */
  ask<T>(judge: ModelJudge, request: JudgeRequest<T>): Promise<T | null>
  /** Returns the same judge, with its cost counted here. */
  watch(judge: Judge): Judge
  usage(): JudgeUsage
}

/** Creates a tally that starts at zero. */
export function createTally(): JudgeTally {
  let published = 0
  let publishedTokens = 0
  let calls = 0
  let inputTokens = 0
  let outputTokens = 0
  let usd: number | null = 0
  const count = (outcome: JudgeOutcome<unknown>): void => {
    calls += outcome.calls
    inputTokens += outcome.inputTokens
    outputTokens += outcome.outputTokens
    usd = usd === null || outcome.usd === null ? null : usd + outcome.usd
  }
  return {
    wouldCall(more, tokens) {
      published += more
      publishedTokens += tokens
    },
    async ask(judge, request) {
      const outcome = await judge.ask(request)
      count(outcome)
      return outcome.value
    },
    watch(judge) {
      if (judge.kind !== 'model') return judge
      return {
        ...judge,
        ask: async request => {
          const outcome = await judge.ask(request)
          count(outcome)
          return outcome
        },
      }
    },
    usage: () => ({
      calls,
      callsSaved: Math.max(0, published - calls),
      inputTokens,
      outputTokens,
      tokensSaved: Math.max(0, Math.round(publishedTokens) - inputTokens - outputTokens),
      usd,
    }),
  }
}

/** Adds the usage of two judgings. */
export function addUsage(left: JudgeUsage, right: JudgeUsage): JudgeUsage {
  return {
    calls: left.calls + right.calls,
    callsSaved: left.callsSaved + right.callsSaved,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    tokensSaved: (left.tokensSaved ?? 0) + (right.tokensSaved ?? 0),
    usd: left.usd === null || right.usd === null ? null : left.usd + right.usd,
  }
}

/**
 * Returns what judging an answer has used in all, when it was scored before. What was saved is that of the last time that a model
 * was asked.
 */
export function addEarlierUsage(usage: JudgeUsage, earlier: JudgeUsage | undefined): JudgeUsage {
  if (earlier === undefined || earlier.calls === 0) return usage
  if (usage.calls === 0) return earlier
  const { callsSaved, tokensSaved } = usage
  return { ...addUsage(earlier, usage), callsSaved, ...(tokensSaved === undefined ? {} : { tokensSaved }) }
}
