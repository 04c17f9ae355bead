import { describe, expect, test } from 'vitest'
import type { MetricDefinition } from '../../src/core/metric.ts'
import { checkPlugin } from '../../src/plugins/check-plugin.ts'
import { checkScored } from '../../src/score/contract/check-scored.ts'
import type { Scorer } from '../../src/score/contract/scorer.ts'

const metric: MetricDefinition = {
  key: 'lengthError',
  label: 'Length error',
  unit: 'count',
  better: 'lower',
  primary: true,
  role: 'score',
  description: 'Difference of the lengths.',
  range: [0, null],
}
const item = { id: 'answer', index: 0, gold: 'a', predicted: 'a', score: 1, rule: 'equal', class: null }
const sound = {
  status: 'scored',
  answered: true,
  metrics: { lengthError: 0 },
  items: [item],
  explanation: [],
  counts: {},
  judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
}
const scorer: Scorer = {
  summary: 'lengths',
  kind: 'text',
  metrics: [metric],
  score: async () => sound as never,
}
const check = (result: unknown) => () => checkScored(result, scorer, { scorer: 'lengths', taskId: 'peru' })

describe('the result of a scorer', () => {
  test('passes when it is valid, also with an unknown metric value', () => {
    expect(check(sound)).not.toThrow()
    expect(check({ ...sound, metrics: { lengthError: null } })).not.toThrow()
  })

  test.each([
    ['nothing', null],
    ['a status of its own', { ...sound, status: 'done' }],
    ['a metric that is not a number', { ...sound, metrics: { lengthError: Number.NaN } }],
    ['a metric that is a text', { ...sound, metrics: { lengthError: '7' } }],
    ['no value for a metric', { ...sound, metrics: {} }],
    ['a metric outside its range', { ...sound, metrics: { lengthError: -5 } }],
    ['a metric that it does not declare', { ...sound, metrics: { lengthError: 0, other: 1 } }],
    ['no items', { ...sound, items: undefined }],
    ['an item without an id', { ...sound, items: [{ foo: 1 }] }],
    ['an item score above 1', { ...sound, items: [{ ...item, score: 7 }] }],
    ['an item without the gold', { ...sound, items: [{ ...item, gold: undefined }] }],
    ['an item whose index is a text', { ...sound, items: [{ ...item, index: '0' }] }],
    ['an item of an unknown class', { ...sound, items: [{ ...item, class: 'lucky' }] }],
    ['an item whose predicted value is a number', { ...sound, items: [{ ...item, predicted: 7 }] }],
    ['no usage of the judge', { ...sound, judgeUsage: undefined }],
    [
      'calls of the judge that are no whole number',
      { ...sound, judgeUsage: { ...sound.judgeUsage, calls: 0.5 } },
    ],
    ['record fields of another form', { ...sound, overall: { intent: 1 } }],
    ['two items for one unit of gold', { ...sound, items: [item, { ...item, score: 0 }] }],
    ['a success that is no truth value', { ...sound, success: 'yes' }],
  ])('is refused with %s', (_, result) => {
    expect(check(result)).toThrow(expect.objectContaining({ code: 'invalid-score' }))
  })

  test('is refused with a message that names scorer, task, member and fix', () => {
    expect(check({ ...sound, items: [{ foo: 1 }] })).toThrow(
      /^scorer lengths, task peru: .*items\[0\]\.id.*Correct the scorer/,
    )
  })
})

describe('the result of a scorer of tables', () => {
  const cell = { goldRow: 0, column: 'a', gold: '1', predicted: '1', score: 1, rule: 'equal', class: null }
  const rows = [{ a: '1' }, { a: '2' }]
  const gold = { kind: 'table', keyColumns: [], targetColumns: ['a'], numericColumns: [], rows } as const
  const place = { scorer: 'cells', taskId: 'peru', gold }
  const checkCells =
    (...items: unknown[]) =>
    () =>
      checkScored({ ...sound, items }, { ...scorer, kind: 'table' }, place)

  test('passes with complete cells', () => {
    expect(checkCells(cell)).not.toThrow()
  })

  test.each([
    ['that another cell repeats', { ...cell, predicted: '2' }, 'items[1]` is the same unit'],
    ['of a row that the gold lacks', { ...cell, goldRow: 2 }, 'but the gold has 2 rows'],
    ['without the row of the gold', { ...cell, goldRow: undefined }, 'items[1].goldRow'],
    ['with a row that is no whole number', { ...cell, goldRow: 0.5 }, 'items[1].goldRow'],
    ['with a match of another form', { ...cell, matched: 3 }, 'items[1].matched'],
    ['without a predicted value', { ...cell, predicted: undefined }, 'items[1].predicted'],
  ])('is refused with a cell %s', (_, wrong, member) => {
    expect(checkCells(cell, wrong)).toThrow(member)
  })
})

describe('metrics of a plug-in', () => {
  const plugin = (metrics: unknown[]) => () =>
    checkPlugin({ scorers: { lengths: { ...scorer, metrics } } }, 'mine.ts')

  test('are accepted with one primary metric', () => {
    expect(plugin([metric])).not.toThrow()
  })

  test.each([
    ['no primary metric', [{ ...metric, primary: false }]],
    ['two metrics of one key', [metric, { ...metric, primary: false }]],
    ['a key that is no name', [{ ...metric, key: '__proto__' }]],
    ['no range', [{ ...metric, range: undefined }]],
  ])('are refused with %s', (_, metrics) => {
    expect(plugin(metrics)).toThrow(expect.objectContaining({ code: 'plugin-invalid' }))
  })
})
