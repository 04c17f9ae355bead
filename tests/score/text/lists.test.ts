import { describe, expect, it } from 'vitest'
import { rateTextByRules } from '../../../src/score/text/rate-text.ts'

describe('lists compared by rules', () => {
  it.each([
    ['Cisco Systems, Inc.; Dell, Inc.; IBM', 'Cisco Systems, Inc.; Dell, Inc.', (0.8 * 2) / 3],
    ['Cisco Systems, Inc.; Dell, Inc.; IBM', 'IBM, Dell, Inc., Cisco Systems, Inc.', 1],
    ['Cisco Systems, Inc.; Dell, Inc.; IBM', 'Acme, Inc.; IBM', 0.8 / 3],
    ['Smith, John; Doe, Jane', 'Doe, Jane; Smith, John', 1],
    ['["Smith, John","Doe, Jane"]', 'Doe, Jane; Smith, John', 1],
    ['["Smith, John","Doe, Jane"]', "['Doe, Jane', 'Smith, John']", 1],
    ['1,234; 5,678', '5,678, 1,234', 1],
    ['盗窃罪、诈骗罪', '诈骗罪，盗窃罪', 1],
    ['a; b; c', 'a, b; d', (0.8 * 2) / 3],
    ['a; b', '[b, a]', 1],
  ])('%s against %s', (gold, predicted, score) => {
    expect(rateTextByRules(gold, predicted)?.score).toBeCloseTo(score, 12)
  })
})
