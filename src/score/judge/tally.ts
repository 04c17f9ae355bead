import type { JudgeUsage } from '../../core/score.ts'
import type { Judge, JudgeOutcome, JudgeRequest, ModelJudge } from './judge.ts'

/** Counts what judging one answer took, beside what the published procedure would have taken. */
export interface JudgeTally {
  /** The published procedure would make so many calls here, of about so many tokens together. */
  wouldCall(calls: number, tokens: number): void
  /** Asks the judge and counts what it spent; null where no answer in form could be had. */
  ask<T>(judge: ModelJudge, request: JudgeRequest<T>): Promise<T | null>
  /** The same judge; what it spends is counted here. */
  watch(judge: Judge): Judge
  usage(): JudgeUsage
}

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

/** What two judgings took together. */
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
