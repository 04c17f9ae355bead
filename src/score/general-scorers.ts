import { definePrimaryMetric, defineShareMetric } from './contract/define-metric.ts'
import type { Scorer } from './contract/scorer.ts'
import { createTextScorer } from './metrics/text-scorer.ts'
import { createTableScorer } from './table/table-scorer.ts'

const list =
  'For a list: the mean over the longer of the two lists, each element compared with the most similar one.'

const answerF1Scorer = createTextScorer({
  summary: "LongTableBench's answer F1: two lists of items, numbers and dates compared by meaning",
  usesJudge: false,
  primary: definePrimaryMetric(
    'answerF1',
    'Answer F1',
    'F1 of the items of two lists, matched one to one in any order (LongTableBench). The best of several references counts.',
  ),
  parts: {
    precision: defineShareMetric(
      'answerPrecision',
      'Answer precision',
      "Share of the answer's items that are in the gold.",
    ),
    recall: defineShareMetric(
      'answerRecall',
      'Answer recall',
      "Share of the gold's items that are in the answer.",
    ),
  },
  metric: async () => (await import('./metrics/answer-f1.ts')).answerF1,
})

const rougeLScorer = createTextScorer({
  summary: 'ROUGE-L: the longest common subsequence of words',
  usesJudge: false,
  primary: definePrimaryMetric(
    'rougeL',
    'ROUGE-L',
    `F1 of the longest common subsequence of words; a CJK character is a word (Lin 2004, as StrucText-Eval reports it). The best of several references counts. ${list}`,
  ),
  parts: {
    precision: defineShareMetric(
      'rougeLPrecision',
      'ROUGE-L precision',
      "Share of the answer's words in the longest common subsequence.",
    ),
    recall: defineShareMetric(
      'rougeLRecall',
      'ROUGE-L recall',
      "Share of the reference's words in the longest common subsequence.",
    ),
    accuracyAt75: defineShareMetric(
      'rougeLAccuracyAt75',
      'ROUGE-L, at least 0.75',
      'ROUGE-L where it is at least 0.75, else 0 (StrucText-Eval).',
    ),
  },
  metric: async () => (await import('./metrics/rouge-l.ts')).rougeL,
})

const judgeAccuracyScorer = createTextScorer({
  summary: "StrucText-Eval's judge: a judge model says whether the answer means the same",
  needsJudgeModel: true,
  primary: definePrimaryMetric(
    'judgeAccuracy',
    'Judge accuracy',
    '1 where a judge model says that the answer means the same as the reference, else 0 (StrucText-Eval). The best of several references counts. For a list: the mean over its elements, each compared with the whole answer.',
  ),
  parts: {},
  metric: async () => (await import('./metrics/judge-accuracy.ts')).judgeAccuracy,
})

/** The scorers that belong to no benchmark, by name. */
export const generalScorers: Readonly<Record<string, Scorer>> = {
  strict: createTableScorer(
    {
      summary:
        "Tablehunt's own: compares values, not spellings (numbers, units, currencies, dates); rows by optimal assignment",
      forgives:
        'spellings, not values: €14,200, 14200 EUR and 14.2k equal 14200; 12.36% equals 12.36 where the column says percent and 0.1236 elsewhere; typing errors in keys whose figures are the same',
    },
    async tables => await (await import('./strict/compare.ts')).compareStrictly(tables),
  ),
  'answer-f1': answerF1Scorer,
  'rouge-l': rougeLScorer,
  'judge-accuracy': judgeAccuracyScorer,
}
