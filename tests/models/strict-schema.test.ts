import { describe, expect, it } from 'vitest'
import { toStrictSchema, withoutAddedNulls } from '../../src/models/strict-schema.ts'

const schema = {
  type: 'object',
  properties: {
    bank: { type: 'string', evaluation_config: 'string_exact', minLength: 2, description: 'its name' },
    amount: { type: 'number', nullable: true },
    kind: { type: 'string', enum: ['a', 'b'] },
    lenders: { type: 'array', items: { $ref: '#/$defs/lender' } },
    rate: { anyOf: [{ type: 'number' }, { type: 'string' }] },
  },
  required: ['bank', 'amount'],
  $defs: {
    lender: {
      type: 'object',
      properties: { name: { type: 'string' }, city: { type: 'string' } },
      required: ['name'],
    },
  },
}

describe('toStrictSchema', () => {
  it('makes every property required, and those that may be missing also null', () => {
    expect(toStrictSchema(schema)).toEqual({
      type: 'object',
      properties: {
        bank: { type: 'string', description: 'its name' },
        amount: { type: ['number', 'null'] },
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        lenders: { type: ['array', 'null'], items: { $ref: '#/$defs/lender' } },
        rate: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] },
      },
      required: ['bank', 'amount', 'kind', 'lenders', 'rate'],
      additionalProperties: false,
      $defs: {
        lender: {
          type: 'object',
          properties: { name: { type: 'string' }, city: { type: ['string', 'null'] } },
          required: ['name', 'city'],
          additionalProperties: false,
        },
      },
    })
  })
})

describe('withoutAddedNulls', () => {
  it('removes nulls that stand for missing properties, and no others', () => {
    const answer = { bank: null, amount: null, kind: null, lenders: [{ name: 'A', city: null }], rate: null }
    expect(JSON.parse(withoutAddedNulls(JSON.stringify(answer), schema))).toEqual({
      bank: null,
      amount: null,
      lenders: [{ name: 'A' }],
    })
  })

  it('leaves a text that is not JSON as it is', () => {
    expect(withoutAddedNulls('{"bank": ', schema)).toBe('{"bank": ')
  })
})
