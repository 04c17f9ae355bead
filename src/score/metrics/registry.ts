import { answerF1 } from './answer-f1.ts'
import { judgeAccuracy } from './judge-accuracy.ts'
import type { TextMetric } from './metric.ts'
import { rougeL } from './rouge-l.ts'
import { gptScore } from './struc-bench/gpt-score.ts'
import { hScore } from './struc-bench/h-score.ts'

/** Metrics of other benchmarks, by name, usable on any table or answer. */
export const textMetrics = {
  'h-score': hScore,
  'gpt-score': gptScore,
  'answer-f1': answerF1,
  'rouge-l': rougeL,
  'judge-accuracy': judgeAccuracy,
} as const satisfies Record<string, TextMetric>

export type TextMetricName = keyof typeof textMetrics
