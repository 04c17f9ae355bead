import { describe, expect, it } from 'vitest'
import { rateTextByRules } from '../../../src/score/table/rate-text.ts'

const score = (gold: string, predicted: string) => rateTextByRules(gold, predicted, 'Value')?.score ?? 0

describe('texts compared by rules', () => {
  it.each([
    ['≤5%', '≥5%'],
    ['≥ 10 years', '≤ 10 years'],
    ['↑ 5', '↓ 5'],
    ['▲5%', '▼5%'],
    ['10 × 5', '10 ÷ 5'],
    ['≥5', '5'],
    ['±5', '5'],
    ['~5', '5'],
    ['约5', '5'],
    ['5 ¬a', '5 a'],
    ['(1,234)', '1,234'],
    ['$(1,234.5)', '$1,234.5'],
    ['(5%)', '5%'],
    ['10²', '102'],
    ['10⁻³', '10-3'],
    ['1½', '11/2'],
    ['1,2', '12'],
    ['2021,2022', '20212022'],
    ['A → B', 'A ← B'],
  ])('%s is not %s', (gold, predicted) => {
    expect([score(gold, predicted), score(predicted, gold)]).toEqual([0, 0])
  })

  it.each([
    ['≥ 10 years', '>=10 years'],
    ['≤5%', '<= 5％'],
    ['<5', '< 5'],
    ['≈5', '~ 5'],
    ['±5', '+/-5'],
    ['3×3 conv', '3 x 3 Conv'],
    ['(1,234)', '-1,234'],
    ['（1,234）', '−1234'],
    ['10²', '10^2'],
    ['m²', 'm2'],
    ['½', '1/2'],
    ['1,234', '1234.0'],
    ['12,34,567', '1234567'],
    ['Alpha (Beta)', 'Alpha Beta'],
    ['(Beta)', 'Beta'],
    ['Article 5 (2)', 'article 5, 2'],
    ['"Smith & Co."', 'SMITH & CO'],
    ['x | y', 'x y'],
  ])('%s is %s', (gold, predicted) => {
    expect([score(gold, predicted), score(predicted, gold)]).toEqual([1, 1])
  })
})
