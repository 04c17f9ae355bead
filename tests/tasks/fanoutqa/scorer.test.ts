import { describe, expect, it } from 'vitest'
import { porterStem } from '../../../tasks/fanoutqa/porter-stem.ts'
import {
  computeRouge,
  containsPhrase,
  normalise,
  scoreFanOutAnswer,
} from '../../../tasks/fanoutqa/score-answer.ts'
import type { FanOutGold } from '../../../tasks/fanoutqa/writing.ts'

const towns: FanOutGold = {
  kind: 'table',
  keyColumns: ['item'],
  targetColumns: ['value'],
  numericColumns: ['value'],
  rows: [
    { item: 'Orovale', value: 18650 },
    { item: 'Pelting', value: 4120 },
  ],
}

const answered = { cause: 'agent', reason: 'answered' }

const metricsOf = (gold: FanOutGold, answerText: string | null) =>
  scoreFanOutAnswer({ gold, answerText, termination: answered } as Parameters<typeof scoreFanOutAnswer>[0])
    .metrics

describe('string accuracy', () => {
  it('is the share of keys and values that the answer contains', () => {
    const answer = 'Orovale has 18,650 people, Pelting has 412.'
    expect(metricsOf(towns, answer)).toMatchObject({ looseAccuracy: 3 / 4, strictAccuracy: 0 })
    expect(metricsOf(towns, '| Pelting | 4120 |\n| Orovale | 18650 |')).toMatchObject({
      looseAccuracy: 1,
      strictAccuracy: 1,
    })
  })

  it('is 0 without an answer', () => {
    expect(metricsOf(towns, null)).toMatchObject({ looseAccuracy: 0, rouge1: 0 })
  })

  it('compares the items of a list, and the one text of another answer', () => {
    const list = { kind: 'text', references: ['a'], items: ['River Aster', 'River Lomm'] } as const
    expect(metricsOf(list, 'the rivers are River Aster').looseAccuracy).toBe(1 / 2)
    expect(metricsOf({ kind: 'text', references: ['yes'] }, 'Yes.').looseAccuracy).toBe(1)
  })
})

describe('normalisation', () => {
  it.each([
    [
      'The 1,027 awards; J.D. Drew’s right-handed “Wars”',
      'the 1027 award jd drew \'s right - handed " war "',
    ],
    ['She doesn’t own 2 boxes', 'she do not own 2 box'],
    ['a\t b\n c', 'a b c'],
  ])('writes %j as %j', (text, expected) => {
    expect(normalise(text)).toBe(expected)
  })

  it('finds phrases between word boundaries only, of any script', () => {
    expect(containsPhrase('in 1412 or 1467', '1412')).toBe(true)
    expect(containsPhrase('in 14120', '1412')).toBe(false)
    expect(containsPhrase('pablo peña', 'pe')).toBe(false)
    // A phrase that begins with a sign needs a word before the sign, as in the published code.
    expect(containsPhrase('it cost $ 5', '$ 5')).toBe(false)
  })
})

describe('ROUGE', () => {
  it('is the F1 of stemmed words, pairs of words and the longest common subsequence', () => {
    // Words: the river run east / river running the east. Common words 4 of 4, pairs 1 of 3, subsequence 3 of 4.
    expect(computeRouge('The river runs east', 'river running the east')).toEqual({
      rouge1: 1,
      rouge2: 1 / 3,
      rougeL: 3 / 4,
    })
    expect(computeRouge('', 'river')).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 })
  })

  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['dies', 'die'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['enjoy', 'enjoy'],
    ['relational', 'relat'],
    ['geologically', 'geolog'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['news', 'news'],
  ])('stems %s as %s', (word, stem) => {
    expect(porterStem(word)).toBe(stem)
  })
})
