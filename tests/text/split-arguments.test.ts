import { describe, expect, it } from 'vitest'
import { resolveToolName, splitArguments } from '../../src/text/tool-calls/call-values.ts'

const tool = {
  name: 'web_search',
  schema: {
    type: 'object',
    properties: { queries: { type: 'array', items: { type: 'string' } }, page: { type: 'integer' } },
    required: ['queries'],
  },
}

describe('several objects in the arguments of one call', () => {
  it.each([
    ['two calls', '{"queries":["a"]}{"queries":["b"]}', [{ queries: ['a'] }, { queries: ['b'] }]],
    [
      'with a line between',
      '{"queries":["a"]}\n{"queries":["}{"],"page":2}',
      [{ queries: ['a'] }, { queries: ['}{'], page: 2 }],
    ],
    [
      'with commas',
      '{"queries":["a"]}, {"queries":["b"]}, {"queries":["c"]}',
      [{ queries: ['a'] }, { queries: ['b'] }, { queries: ['c'] }],
    ],
    ['the same object twice', '{"queries":["a"]}{"queries":["a"]}', [{ queries: ['a'] }]],
    ['an empty object first', '{}{"queries":["a"]}', [{ queries: ['a'] }]],
    ['one in Python’s spelling', "{'queries': ['a'], 'page': None}", [{ queries: ['a'], page: null }]],
    ['one with single quotes', "{'queries': ['a']}", [{ queries: ['a'] }]],
    ['one with a comma too many', '{"queries":["a"],}', [{ queries: ['a'] }]],
    ['one in a code block', '```json\n{"queries":["a"]}\n```', [{ queries: ['a'] }]],
    ['one before the mark of an end', '{"queries":["a"]}<|im_end|>', [{ queries: ['a'] }]],
  ])('are calls of the same tool when all fit it: %s', (_what, text, calls) => {
    expect(splitArguments(text, tool)).toEqual(calls)
  })

  it.each([
    ['another member', '{"queries":["a"]}{"url":"http://x.test/"}', tool],
    ['a missing member', '{"queries":["a"]}{"page":2}', tool],
    ['no such tool', '{"queries":["a"]}{"queries":["b"]}', undefined],
  ])('are a problem in words when one does not: %s', (_what, text, of) => {
    expect(splitArguments(text, of)).toEqual({ problem: expect.stringContaining('2 JSON objects') })
  })

  it.each(['{"queries":["a"]}', '{"queries":["a"]}{"quer', '{"queries":["a"]} and more', '', '[1][2]'])(
    'leaves other texts alone: %s',
    text => {
      expect(splitArguments(text, tool)).toBeNull()
    },
  )
})

it.each([
  ['functions.web_search:0', 'web_search'],
  ['default_api:web_search', 'web_search'],
  ['mcp__tools__web_search', 'web_search'],
  ['web_search<|channel|>commentary', 'web_search'],
  [' Web-Search() ', 'web_search'],
  ['web_searcher', 'web_searcher'],
  ['search', 'search'],
])('a name that a server passes on: %s', (written, name) => {
  expect(resolveToolName(written, [tool])).toBe(name)
})
