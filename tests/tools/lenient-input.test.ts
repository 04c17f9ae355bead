import { describe, expect, it } from 'vitest'
import { toolSchema } from '../../src/models/tool-schema.ts'
import { describeArguments, readLeniently } from '../../tools/lenient-input.ts'
import { createTools } from '../../tools/registry.ts'

const tools = await createTools(['web_search', 'fetch_page', 'read_pdf'], {} as never)
const schemaOf = (name: string) => toolSchema(tools.find(tool => tool.name === name)!)

describe("a model's arguments", () => {
  it.each([
    ['web_search', { query: 'deep caves' }, { queries: ['deep caves'] }],
    ['web_search', { queries: 'deep caves' }, { queries: ['deep caves'] }],
    ['web_search', { queries: '["deep caves", "old caves"]' }, { queries: ['deep caves', 'old caves'] }],
    ['web_search', { query: ['a'], page: '2' }, { queries: ['a'], page: 2 }],
    ['web_search', { queries: [2023], region: '' }, { queries: ['2023'] }],
    ['web_search', { queries: ['a'], language: '  ', region: null, page: null }, { queries: ['a'] }],
    ['fetch_page', { url: ['https://a.example'], part: '' }, { url: 'https://a.example' }],
    ['fetch_page', { urls: ['https://a.example'], part: '3' }, { url: 'https://a.example', part: 3 }],
    ['read_pdf', { url: 'u', pages: 3, find: 'net income' }, { url: 'u', pages: '3', find: ['net income'] }],
    ['read_pdf', { url: 'u', page: 3, find: '' }, { url: 'u', pages: '3' }],
    ['read_pdf', '{"url": "u"}', { url: 'u' }],
  ])('of %s are read as meant: %j', (name, given, input) => {
    expect(readLeniently(schemaOf(name), given)).toEqual({ input, ignored: [] })
  })

  it.each([
    ['part', { url: 'u', part: 'two' }],
    ['url', { url: { href: 'u' } }],
    ['find', { url: 'u', find: { term: 'a' } }],
  ])('that cannot be read stay as they are: %s', (name, given) => {
    const { input } = readLeniently(schemaOf('fetch_page'), given)
    expect(input[name]).toEqual(given[name as keyof typeof given])
  })

  it('are ignored and named when the tool does not have them', () => {
    const given = { url: 'u', pages: '3-7', query: null, queries: ['a'] }
    expect(readLeniently(schemaOf('fetch_page'), given)).toEqual({
      input: { url: 'u' },
      ignored: ['pages', 'queries'],
    })
    expect(readLeniently(schemaOf('web_search'), { query: 'a', queries: ['b'] })).toEqual({
      input: { queries: ['b'] },
      ignored: ['query'],
    })
  })

  it('are kept when the schema allows others', () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' } } }
    expect(readLeniently(schema, { id: '7', also: 1 })).toEqual({ input: { id: 7, also: 1 }, ignored: [] })
  })

  it('are left out when they are optional and empty, unless the schema takes an empty text', () => {
    const properties = {
      name: { type: 'string' },
      kind: { type: 'string', enum: ['a', 'b'] },
      code: { type: 'string', minLength: 2 },
      limit: { type: 'integer' },
    }
    const schema = { type: 'object', properties, required: [] as string[] }
    const blank = { name: '', kind: '', code: '', limit: '' }
    expect(readLeniently(schema, blank).input).toEqual({ name: '' })
    expect(readLeniently(schema, { name: null, limit: null }).input).toEqual({})
    expect(readLeniently({ ...schema, required: ['kind'] }, { kind: '' }).input).toEqual({ kind: '' })
  })

  it('are described for an error message', () => {
    expect(describeArguments(schemaOf('fetch_page'))).toBe(
      'url (text), part (whole number, optional), view (text, optional), find (list, optional)',
    )
  })
})
