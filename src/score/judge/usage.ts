import type { JudgeUsage } from '../../core/score.ts'

/** No judge model was asked. */
export const noJudgeUsage: JudgeUsage = { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 }
