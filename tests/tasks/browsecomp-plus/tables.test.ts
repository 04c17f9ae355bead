import { describe, expect, it } from 'vitest'
import type { Score } from '../../../src/core/score.ts'
import {
  computeCalibrationError,
  computePublishedAccuracy,
  computePublishedCalibrationError,
  type JudgedConfidence,
} from '../../../tasks/browsecomp-plus/tables.ts'

/** `count` answers with one confidence, of which the first `right` are right. */
const answers = (count: number, confidence: number, right: number): JudgedConfidence[] =>
  Array.from({ length: count }, (_, at) => ({ confidence, isCorrect: at < right }))

describe('the calibration error', () => {
  it('is 0 as published below 100 answers, and the gap of the only bin over all bins', () => {
    const few = answers(50, 0.9, 10)
    expect(computePublishedCalibrationError(few)).toBe(0)
    // |0.9 - 10/50|
    expect(computeCalibrationError(few)).toBeCloseTo(0.7, 12)
    expect(computeCalibrationError([])).toBeNull()
  })

  it('leaves the last bin out as published, but keeps its answers in the denominator', () => {
    // Bins by confidence: 100 answers at 0.2 (10 right) and 150 at 0.8 (60 right).
    const many = [...answers(150, 0.8, 60), ...answers(100, 0.2, 10)]
    // sqrt(100/250 * 0.1^2)
    expect(computePublishedCalibrationError(many)).toBeCloseTo(Math.sqrt(0.004), 12)
    // sqrt(100/250 * 0.1^2 + 150/250 * 0.4^2)
    expect(computeCalibrationError(many)).toBeCloseTo(Math.sqrt(0.1), 12)
  })

  it('is 0 as published between 100 and 199 answers, which are one bin', () => {
    expect(computePublishedCalibrationError(answers(199, 1, 0))).toBe(0)
    expect(computeCalibrationError(answers(199, 1, 0))).toBe(1)
  })
})

it('counts uncompleted attempts and unreadable verdicts as wrong in published accuracy, and leaves failed judges out', () => {
  const score = (fields: object): Score => ({ cause: null, counts: {}, metrics: {}, ...fields }) as Score
  const right = { browseCompAccuracy: 1 }
  const scores = [
    score({ metrics: right, counts: { completedAnswers: 1 } }),
    score({ metrics: right, counts: { completedAnswers: 0 } }),
    score({ metrics: { browseCompAccuracy: 0 }, counts: { completedAnswers: 0 } }),
    score({ cause: 'provider' }),
    score({ cause: 'judge', counts: { unreadableVerdicts: 1 } }),
    score({ cause: 'judge', counts: { unreadableVerdicts: 0 } }),
  ]
  expect(computePublishedAccuracy(scores)).toBe(1 / 5)
  expect(computePublishedAccuracy(scores.slice(5))).toBeNull()
})
