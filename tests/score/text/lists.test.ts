import { describe, expect, it } from 'vitest'
import { rateTextByRules } from '../../../src/score/table/rate-text.ts'

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
    [
      '["《刑法》第266条", "《刑法》第27条", "《刑法》第64条"]',
      '《刑法》第二百六十六条、第二十七条和第六十四条',
      1,
    ],
    ['["《刑法》第234条", "《刑法》第67条"]', '《刑法》第二百三十四条、《民法典》第六十七条', 0.4],
    ['《刑法》第133条', '《刑法》第一百三十三条', 1],
    ['《刑法》第133条', '《中华人民共和国刑法》第一百三十三条', 1],
    ['《中华人民共和国刑法》第133条', '刑法第一百三十三条', 1],
    ['《刑法》第133条', '《刑法》第一百三十三条之一', undefined],
  ])('%s against %s', (gold, predicted, score) => {
    const rated = rateTextByRules(gold, predicted, 'Value')?.score
    if (score === undefined) expect(rated).toBeUndefined()
    else expect(rated).toBeCloseTo(score, 12)
  })
})
