import { describe, expect, it } from 'vitest'
import { runToolInput } from '../../tools/run-tool-input.ts'

const environment = { clock: { now: () => 0 }, keepText: () => '' } as never
const calculate = async (expressions: unknown) =>
  await runToolInput('calculate', JSON.stringify({ expressions }), environment)

describe('calculate', () => {
  it.each([
    ['(5131 - 4936) / 4936 * 100', '3.9505672609400324'.slice(0, 16)],
    ['0.1 + 0.2', '0.3'],
    ['2 × 3 ÷ 4 − 1', '0.5'],
    ['-2^2 + 10 % 4', '-2'],
    ['round(1.005, 2)', '1.01'],
    ['round(-2.5)', '-3'],
    ['sum(1, [2, 3]) / mean(1, 2, 3)', '3'],
    ['max(1, 5, 3) - min(4, 2)', '3'],
    ['days("2024-01-31", "March 1, 2024")', '30'],
    ['days("2024年3月1日", "2024-01-31")', '-30'],
    ['months("2023-12-31", "2024-02-29")', '1'],
    ['years("2001-05-20", "2024-05-19")', '22'],
  ])('answers %s', async (expression, value) => {
    expect(await calculate(expression)).toMatchObject({ ok: true, text: `${expression} = ${value}` })
  })

  it.each([
    '1 / 0',
    '9^9^9^9',
    '170!',
    'fac(170)',
    'constructor("x")',
    '__proto__',
    '[1, 2]',
    '"a"',
    'x = 3',
    'f(x) = x',
    '"a".length',
    'map(abs, [1])',
    'random()',
    'days("2024", "2025")',
    'round()',
    '(1 + 2',
    '('.repeat(999),
    'sqrt(-1)',
  ])('refuses %s', async expression => {
    const { ok, error } = await calculate([expression])
    expect({ ok, error }).toEqual({ ok: false, error: expect.stringMatching(/^bad-input: .*Write numbers/s) })
  })

  it('answers several expressions, also when one of them fails', async () => {
    const { ok, text } = await calculate(['1 + 1', '1,234 + 1'])
    expect(ok).toBe(true)
    expect(text).toMatch(/^1 \+ 1 = 2\n1,234 \+ 1: parse error .*thousands separators/)
  })
})
