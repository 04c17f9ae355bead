import { describe, expect, it } from 'vitest'
import { parsePythonJson, readMarkedNumber, writePythonJson } from '../../src/text/python-json.ts'

const printed = (literal: string) => writePythonJson([parsePythonJson(literal)])

describe('reading and writing JSON as Python does', () => {
  it('writes lists with a blank after commas and colons and keeps Chinese unchanged', () => {
    expect(writePythonJson(['《刑法》第264条', 'a "b"', 3, true, null])).toBe(
      '["《刑法》第264条", "a \\"b\\"", 3, true, null]',
    )
    expect(writePythonJson({ a: [1], b: {} })).toBe('{"a": [1], "b": {}}')
  })

  // Each right-hand side is what Python 3 prints for json.dumps([json.loads(LITERAL)]).
  it.each([
    ['5', '[5]'],
    ['5.0', '[5.0]'],
    ['-0.0', '[-0.0]'],
    ['-0', '[0]'],
    ['0.10', '[0.1]'],
    ['1e5', '[100000.0]'],
    ['1e15', '[1000000000000000.0]'],
    ['1e16', '[1e+16]'],
    ['1.5E22', '[1.5e+22]'],
    ['0.0001', '[0.0001]'],
    ['0.00001', '[1e-05]'],
    ['0.000012', '[1.2e-05]'],
    ['12345678901234567890', '[12345678901234567890]'],
    ['-12345678901234567890', '[-12345678901234567890]'],
    ['Infinity', '[Infinity]'],
    ['-Infinity', '[-Infinity]'],
  ])('prints %s as %s', (literal, expected) => {
    expect(printed(literal)).toBe(expected)
  })

  it('keeps digits and words inside strings unchanged, even after escaped quotes', () => {
    const text = '{"a\\\\": "5.0 NaN \\"1e5\\" Infinity", "b": 7.0, "c": NaN}'
    const value = parsePythonJson(text) as Record<string, unknown>
    expect(value['a\\']).toBe('5.0 NaN "1e5" Infinity')
    expect(readMarkedNumber(value.b)).toBe('7.0')
    expect(value.c).toBeNull()
  })

  it('keeps the digits of a whole number that a double cannot represent, even if both print alike', () => {
    expect(readMarkedNumber(parsePythonJson('-62180203649546540'))).toBe('-62180203649546540')
  })

  it('refuses invalid JSON, including an unclosed string', () => {
    for (const text of ['{', '{"a": "b', '{"a": 1.}', 'True', '']) {
      expect(() => parsePythonJson(text)).toThrow(SyntaxError)
    }
  })

  it('reads a string of many megabytes', () => {
    const long = 'x1.0\\"'.repeat(1_000_000)
    expect(parsePythonJson(`{"a": "${long}"}`)).toEqual({ a: 'x1.0"'.repeat(1_000_000) })
  })
})
