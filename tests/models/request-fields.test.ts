import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { parseRequestFields, withFields } from '../../src/models/request-fields.ts'
import { listArms } from '../../src/run/plan/arms.ts'

const resolve = (...requestField: string[]) => resolveConfig({ tasks: '-', out: '-', requestField })

describe('--request-field', () => {
  it('reads JSON values, plain texts and names with dots', () => {
    const given = [
      'presence_penalty=1.1',
      'a.b=true',
      'a.c=[1,2]',
      'service_tier=flex',
      'stop=null',
      'user="7"',
    ]
    expect(parseRequestFields(given)).toEqual({
      presence_penalty: 1.1,
      a: { b: true, c: [1, 2] },
      service_tier: 'flex',
      stop: null,
      user: '7',
    })
  })

  it.each(['model=x', 'max_tokens=5', 'tools=[]', 'n=2', 'stream=true', 'response_format.type=json'])(
    'refuses %s, because budgets or records depend on it',
    text => {
      const code = 'reserved-request-field'
      expect(() => resolve(text)).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining('--request-field') }),
      )
    },
  )

  it.each(['presence_penalty', '=1', 'a..b=1', 'a='])('refuses %s, which is not NAME=VALUE', text => {
    expect(() => resolve(text)).toThrow(expect.objectContaining({ code: 'invalid-request-field' }))
  })

  it('is part of the arm, in one order and without commas', () => {
    const [arm] = listArms(resolve('min_p=0.1', 'a.c=[1,2]'), 'offline')
    expect(arm!.options).toEqual({ 'request-field': 'a.c=[1;2] min_p=0.1' })
  })

  it('adds to objects of a request and replaces other values', () => {
    const body = { keep: 1, stop: 'x', kwargs: { a: 1, b: 2 } }
    const fields = { stop: null, kwargs: { b: 3 } }
    expect(withFields(body, fields)).toEqual({ keep: 1, stop: null, kwargs: { a: 1, b: 3 } })
  })
})
