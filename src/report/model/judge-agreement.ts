import { computeMeanInterval } from '../../score/statistics/intervals.ts'
import type { Entry } from './entries.ts'
import { nameScoring } from './scorings.ts'

/** A person's mark of a sampled item, compared with the score of a scorer and judge. */
export interface JudgeMark {
  readonly attemptId: string
  readonly scorer: string
  readonly judge: string
  /** Whether both call the item right, or both wrong. */
  readonly agrees: boolean
}

/** How far a person agrees with the scores that a judge model made. */
export interface JudgeAgreement {
  readonly scorer: string
  readonly judge: string
  /** The number of marked items. 0: the agreement was not measured. */
  readonly marked: number
  /** The share of these items that both call right or both wrong. Null without marks. */
  readonly agreement: number | null
  /** The 95% interval over groups of tasks that share documents. Null for fewer than five. */
  readonly low: number | null
  readonly high: number | null
}

/** Whether a judge is a language model, and not fixed rules. */
const isModel = (judge: string): boolean => judge !== 'rules' && judge !== 'none'

/** Computes the agreement for each scoring whose judge is a model, from the marks of `audit`. */
export function judgeAgreements(entries: readonly Entry[], marks: readonly JudgeMark[]): JudgeAgreement[] {
  const components = new Map(entries.map(({ attempt, component }) => [attempt.attemptId, component]))
  const keys = new Map(entries.map(({ key }) => [nameScoring(key), key]))
  return [...keys.values()].flatMap(({ scorer, judge }): JudgeAgreement[] => {
    if (!isModel(judge)) return []
    const values = marks
      .filter(mark => mark.scorer === scorer && mark.judge === judge && components.has(mark.attemptId))
      .map(({ attemptId, agrees }, at) => ({
        cluster: String(at),
        component: components.get(attemptId)!,
        value: Number(agrees),
      }))
    const { mean = null, low = null, high = null } = computeMeanInterval(values, [0, 1]) ?? {}
    return [{ scorer, judge, marked: values.length, agreement: mean, low, high }]
  })
}
