import { describe, expect, it } from 'vitest'
import { rateTextByRules } from '../../src/score/table/rate-text.ts'

const score = (gold: string, predicted: string): number =>
  rateTextByRules(gold, predicted, 'Active')?.score ?? 0

describe('truth values', () => {
  it.each([
    ['True', 'yes'],
    ['True', '✓'],
    ['True', 'Y'],
    ['True', '1'],
    ['False', 'no'],
    ['False', '✗'],
    ['False', 'NO'],
    ['yes', '✔️'],
    ['Yes', 'TRUE'],
    ['是', 'yes'],
    ['oui', 'ja'],
    ['нет', 'no'],
  ])('%s is %s', (gold, predicted) => {
    expect(score(gold, predicted)).toBe(1)
  })

  it.each([
    ['True', 'no'],
    ['✓', '✗'],
    ['NO', 'false'],
    ['N', 'no'],
    ['1', 'yes'],
    ['yes', '1'],
    ['True', 'maybe'],
    ['True', 'oki'],
    ['No', 'Ne'],
  ])('%s is not %s', (gold, predicted) => {
    expect(score(gold, predicted)).toBe(0)
  })
})
