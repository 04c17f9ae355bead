import { describe, expect, it } from 'vitest'
import { makePublishedSummary, type ResultLine } from '../../../tasks/structext/published-summary.ts'

const best = 2 / (2 + 1e-8)

/** Lines: index, response, and what differs from a CSV question without hint, whose gold is 3. */
function lineOf(index: number, r: string, info: Partial<ResultLine['info']> = {}): ResultLine {
  const usual = { type: 'csv', task: 'Join', depth: 1, width: 1, few_shot_num: 0, rule_hint: false }
  return { index, a: '3', r, info: { ...usual, ...info } }
}

const summary = makePublishedSummary([
  lineOf(0, '3'),
  lineOf(0, '<JUMP>'),
  lineOf(1, '<JUMP>'),
  lineOf(2, '4', { depth: 2 }),
  lineOf(3, ''),
  lineOf(4, ''),
  lineOf(4, '<JUMP>'),
  lineOf(5, '3', { rule_hint: true }),
  lineOf(6, '3', { rule_hint: true, type: 'tree' }),
  lineOf(7, '', { type: 'xml' }),
])

describe("the published summary of StrucText-Eval's results", () => {
  it('counts a failed call as 0 only when no line of its index has a value, and leaves out empty responses', () => {
    expect(summary.Overall.mean).toBeCloseTo(best / 4, 12)
    expect(summary.Overall.std).toBeCloseTo((best * Math.sqrt(3)) / 4, 12)
    expect(summary.Depth!['2']).toEqual({ mean: 0, std: 0 })
  })

  it('repeats the groups for prompts with a hint, with null for groups without a value', () => {
    expect(summary.RuleHint.Overall.mean).toBeCloseTo(best, 12)
    expect(Object.keys(summary.RuleHint.Language!)).toEqual(['csv'])
    expect(summary.RuleHint.Depth).toEqual({
      '1': { mean: expect.closeTo(best, 12), std: expect.closeTo(0, 12) },
      '2': { mean: null, std: null },
    })
  })

  it('has only groups that have a value without a hint', () => {
    expect(Object.keys(summary.Language!)).toEqual(['csv'])
  })
})
