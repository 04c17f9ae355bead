import { describe, expect, it } from 'vitest'
import { readGoldAnswer } from '../../../tasks/longtablebench/gold-answer.ts'
import { readAnswer, scoreLongTable } from '../../../tasks/longtablebench/metric.ts'
import { readPythonLiteral, writeRepr } from '../../../tasks/longtablebench/python-literal.ts'
import { readWordNumber } from '../../../tasks/longtablebench/word-number.ts'

const f1 = (gold: unknown, answer: string): number | undefined =>
  scoreLongTable(readGoldAnswer(typeof gold === 'string' ? gold : JSON.stringify(gold)), answer)?.f1

describe('the rules of the published lineage', () => {
  it('match items once each, in any order, and count repeats', () => {
    expect(f1(['a', 'b', 'b'], "['B', 'a', 'b']")).toBe(1)
    expect(f1(['a', 'b'], "['a', 'a']")).toBe(0.5)
    expect(f1(['a'], '[]')).toBe(0)
  })

  it('take a text that is no list as one item', () => {
    expect(f1(['SH-1'], 'SH-1')).toBe(1)
    expect(f1(['a', 'b'], 'a, b')).toBe(0)
    expect(f1(['a', 'b'], "('a', 'b')")).toBe(0)
  })

  it('read Roman numerals, English words and powers of ten as numbers', () => {
    expect(f1(['12', '7', '123000'], "['XII', 'seven', '1.23×10^5']")).toBe(1)
    expect(f1(['7'], "['Seven Samurai']")).toBe(1)
    expect(f1(['110'], "['1.1×10^2']")).toBe(0)
    expect(f1(['1'], "['1.0×10^400']")).toBe(0)
  })

  it('read days in the forms of the irregular tables, but never the month first with dots', () => {
    const words = 'two thousand and twenty-two.seven.fifteen'
    expect(f1(['2022-07-15'], `['${words}']`)).toBe(1)
    expect(f1(['2022-07-15'], "['15/07/2022']")).toBe(1)
    expect(f1(['2022-07-15'], "['MMXXII-VII-XV']")).toBe(1)
    expect(f1(['2022-07-15'], "['07.15.2022']")).toBe(0)
    expect(f1(['2022-02-30'], "['30/02/2022']")).toBe(0)
  })

  it('accept a row only as a whole, with as many keys and values of the type of the gold', () => {
    const gold = '{"Id": 5, "share": 5.0, "note": null, "open": true}'
    expect(f1(gold, "{'id': 5.7, 'SHARE': '5', 'note': None, 'open': True}")).toBe(1)
    expect(f1(gold, "{'id': 6, 'share': 5, 'note': None, 'open': True}")).toBe(0)
    expect(f1(gold, "{'id': 5, 'share': 5, 'note': null, 'open': True}")).toBe(0)
    expect(f1(gold, "{'index': 0, 'id': 5, 'share': 5, 'note': '', 'open': True}")).toBe(0)
    expect(f1(gold, "['Unsupported']")).toBe(0)
  })
})

describe('readAnswer', () => {
  it.each([
    ["<answer>['a']</answer> done", "['a']"],
    ["I think.</think> ['a']", "['a']"],
    ['```json\n["a"]\n```', '["a"]'],
    ['```json\n["a"]\n```\n\nThat is all.', 'That is all.'],
    ["{'result': 'Unsupported'}", '["Unsupported"]'],
    ['<north>, <south>', "['north', 'south']"],
    ["Answer: list[str]: ['a']", "['a']"],
    ["```sql\n['a']\n```", "sql\n['a']"],
    ["```['a']", "['a']"],
  ])('reads %j as %j', (answer, expected) => expect(readAnswer(answer)).toBe(expected))
})

describe('readPythonLiteral', () => {
  it.each([
    [
      "['a' \"b\", 1_000, -2.50, True, None, (1,), {'k': [1e3]}]",
      "['ab', 1000, -2.5, True, None, (1,), {'k': [1000.0]}]",
    ],
    ["{1: 'a', 1.0: 'b', 'c': {2}}", "{1: 'b', 'c': {2}}"],
    ["'\\x41\\u00e9\\d' # comment", "'Aé\\\\d'"],
    ['("""two\nlines""")\n', "'two\\nlines'"],
  ])('reads %j', (text, expected) => expect(writeRepr(readPythonLiteral(text)!)).toBe(expected))

  it.each(['[1, 2', 'nan', "f'a'", '007', "['a'] + ['b']", '[1] x', '{[1]: 2}', "\n ['a']", "'a\nb'"])(
    'does not read %j',
    text => expect(readPythonLiteral(text)).toBeUndefined(),
  )
})

it('wordNumber ignores words that are not numbers', () => {
  expect(readWordNumber('one hundred and twenty-three thousand')).toBe(123000n)
  expect(readWordNumber('two point five zero')).toBe(2.5)
  expect(readWordNumber('point of view')).toBe(0n)
  expect(readWordNumber('thousand five')).toBeNull()
  expect(readWordNumber('no number')).toBeNull()
})
