import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callGrammars } from '../../../src/text/tool-calls/grammars.ts'
import { readTextCalls } from '../../../src/text/tool-calls/read-text-calls.ts'
import { type Expected, tools, writers } from './written-calls.ts'

const read = (text: string) => readTextCalls(text, tools)
const callsIn = (text: string) => read(text).parts.flatMap(({ calls }) => calls)
const isCall = (text: string): boolean => callsIn(text).length > 0
const looksLikeCall = (text: string): boolean =>
  read(text).parts.some(({ calls, broken }) => calls.length === 0 && broken === null)

const one: Expected = { name: 'web_search', args: { queries: ['Hotel Alder beds'], page: 2, exact: true } }
const several: readonly Expected[] = [
  one,
  { name: 'fetch_page', args: { url: 'https://alder.test/rooms?a=1&b=2', part: 3 } },
  { name: 'web_search', args: { queries: ['Birke', '"Hotel Birke" Ulm'], language: 'de' } },
]
const nested: Expected = {
  name: 'web_search',
  args: { queries: ['he said "no"', 'a } ] b, c: d', "Hotel's \\ rooms", 'line\nbreak', '床位 (2024)'] },
}

describe.each(writers)('calls in the form of %s', (_title, form, write) => {
  it('reads one call', () => {
    const { parts, rest } = read(write([one]))
    expect(parts.flatMap(({ calls }) => calls)).toEqual([one])
    expect(parts.every(({ grammar }) => grammar === form)).toBe(true)
    expect(parts.every(({ isLast, isInCode, isOpen }) => isLast && !isInCode && !isOpen)).toBe(true)
    expect(rest).toBe('')
  })

  it('reads several calls in their order, and leaves the words before them', () => {
    const { parts, rest } = read(`I look at both hotels.\n\n${write(several)}`)
    expect(parts.flatMap(({ calls }) => calls)).toEqual(several)
    expect(rest).toBe('I look at both hotels.')
  })

  it('reads arguments with quotes, brackets, line breaks and backslashes', () => {
    expect(callsIn(write([nested]))).toEqual([nested])
  })

  it('reads a call between reasoning tags', () => {
    expect(callsIn(`<think>I need the number of beds.\n${write([one])}\n</think>`)).toEqual([one])
  })

  it('reads no call that is cut as a whole one', () => {
    const both = write([one, nested])
    const { parts } = read(both.slice(0, both.lastIndexOf('no') + 1))
    expect(parts.at(-1)?.isOpen).toBe(true)
    const whole = parts.filter(({ isOpen }) => !isOpen).flatMap(({ calls }) => calls)
    // In one JSON list, the cut leaves nothing that can be read.
    expect([[one], []]).toContainEqual(whole)
  })
})

it('has a test for every form', () => {
  const forms = new Set(writers.map(([, form]) => form))
  expect(callGrammars.map(({ name }) => name).filter(name => !forms.has(name))).toEqual([])
})

it('has a row of the documentation and a source for every form', () => {
  const page = readFileSync('docs/online-options.md', 'utf8')
  for (const { name, source } of callGrammars) {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\`[ ,]`, 'm'))
    expect(source).toMatch(/^https:\/\//)
  }
})

describe('forms that are not known', () => {
  it.each([
    '<|foo_call|>web_search {"queries":["a"]}<|/foo_call|>',
    '<|function_start|>{"fn":"search","q":"a"}<|function_end|>',
    '[FUNCTION_CALL] web_search -> queries = a',
    '<act:invoke name="web_search"><arg k="queries">["a"]</arg></act:invoke>',
    '<use_tool id="web_search"><value>a</value></use_tool>',
    '<web_search><queries>["a"]</queries></web_search>',
    '<fetch_page url="https://alder.test" />',
    '{"call": "web_search", "with": {"queries": ["a"]}}',
    '{"do": {"queries": ["a"], "by": "web_search"}}',
    'use: web_search\nwith:\n  "queries": ["a"]',
    '```yaml\nweb_search:\n  - queries="a"\n```',
    'const found = await tools.web_search.run({ queries: ["a"] })',
    '<tool_call>web_search|a|b</tool_call>',
    '<|python_tag|>import search\nsearch.run("a")',
    'Thought: I search.\nAction: web_search\nAction Input: Hotel Alder beds',
  ])('look like a call: %s', text => {
    expect(looksLikeCall(`I search.\n\n${text}`)).toBe(true)
    expect(isCall(text)).toBe(false)
  })
})

describe('an answer that is no call', () => {
  it.each([
    '{"name": "Alder", "arguments": {"queries": ["a"]}}',
    '{"name": "web_search", "city": "Ulm"}',
    '[{"name": "Hotel", "parameters": {"beds": 12}}, {"name": "Birke", "parameters": null}]',
    '```json\n{"name": "search", "arguments": {}}\n```',
    '| name | arguments |\n|---|---|\n| Alder | 12 |',
    '```csv\nname,arguments\nAlder,"{""a"": 1}"\n```',
    '```python\nprint("Alder", 12)\n```',
    'I used web_search and fetch_page, but found no beds. See https://alder.test/?a=1',
    'The hotel has 12 beds (see <b>Alder</b>, f(x) = [a(b)]).',
    '<table><tr><td>Alder</td></tr></table>',
    '',
  ])('stays as it is: %s', text => {
    expect(read(text)).toEqual({ parts: [], rest: text })
  })
})

describe('an input that is a text', () => {
  it.each([
    '{"action": "fetch_page", "action_input": "https://a.test/x"}',
    '```json\n{"tool": "fetch_page", "tool_input": "https://a.test/x"}\n```',
    '<tool_call>{"name": "fetch_page", "arguments": "https://a.test/x"}</tool_call>',
  ])("is the tool's first parameter: %s", text => {
    expect(callsIn(text)).toEqual([{ name: 'fetch_page', args: { url: 'https://a.test/x' } }])
  })

  it('is none when it is the beginning of an object', () => {
    expect(callsIn('{"action": "fetch_page", "action_input": "{\\"url\\": \\"https"}')).toEqual([])
  })
})

describe('parameters that are written as plain text', () => {
  const typed = (text: string) => callsIn(text)[0]?.args
  it.each([
    ['a number', '<function=web_search><parameter=page>5</parameter></function>', { page: 5 }],
    ['a quoted number', '<function=web_search><parameter=page>"5"</parameter></function>', { page: 5 }],
    [
      'a number that stays text',
      '<function=web_search><parameter=language>5</parameter></function>',
      { language: '5' },
    ],
    [
      'a boolean of Python',
      '<invoke name="web_search"><parameter name="exact">False</parameter></invoke>',
      { exact: false },
    ],
    [
      'a list',
      '<tool_call>web_search<arg_key>queries</arg_key><arg_value>["a", "b"]</arg_value></tool_call>',
      { queries: ['a', 'b'] },
    ],
    [
      'one of several types',
      '<invoke name="fetch_page"><parameter name="part">2</parameter></invoke>',
      { part: 2 },
    ],
    ['null', '<invoke name="fetch_page"><parameter name="part">null</parameter></invoke>', { part: null }],
    [
      'words where a list is asked for',
      '<function=web_search><parameter=queries>Hotel Alder</parameter></function>',
      { queries: 'Hotel Alder' },
    ],
    [
      'text with marks',
      '<function=fetch_page><parameter=url>https://x.test/?a=<b>&c=1</parameter></function>',
      { url: 'https://x.test/?a=<b>&c=1' },
    ],
    [
      'a parameter of no tool',
      '<function=web_search><parameter=other>7</parameter></function>',
      { other: 7 },
    ],
    [
      'a string by its own mark',
      '<｜DSML｜invoke name="x"><｜DSML｜parameter name="a" string="true">7</｜DSML｜parameter></｜DSML｜invoke>',
      { a: '7' },
    ],
    ['arguments without names', '[web_search(["a"], 3)]', { queries: ['a'], page: 3 }],
  ])('become %s', (_what, text, args) => {
    expect(typed(text)).toEqual(args)
  })
})

describe('a call in a text', () => {
  it('resolves names with the prefix of a namespace', () => {
    const names = ['functions.web_search', 'default_api.web_search', 'tools/web_search', 'other_search']
    const named = names.map(
      name => callsIn(`<tool_call>{"name":"${name}","arguments":{}}</tool_call>`)[0]?.name,
    )
    expect(named).toEqual(['web_search', 'web_search', 'web_search', 'other_search'])
  })

  it('is followed by nothing but marks, or by words', () => {
    const call = '<tool_call>{"name":"web_search","arguments":{}}</tool_call>'
    const isLast = (text: string) => read(text).parts.map(part => part.isLast)
    expect(isLast(`Words. ${call}\n<|im_end|>`)).toEqual([true])
    expect(isLast(`${call} as I said.`)).toEqual([false])
    expect(isLast(`${call}\nThen words.\n${call}`)).toEqual([false, true])
  })

  it('is in code between backticks and in a code block with other lines', () => {
    const call = '<tool_call>{"name":"web_search","arguments":{}}</tool_call>'
    const isInCode = (text: string) => read(text).parts.map(part => part.isInCode)
    expect(isInCode(`Write \`${call}\` for it.`)).toEqual([true])
    expect(isInCode(`\`\`\`xml\n<!-- an example -->\n${call}\n\`\`\``)).toEqual([true])
    expect(isInCode(`\`\`\`csv\na,b\n\`\`\`\n${call}`)).toEqual([false])
  })

  it('is read once although several blocks follow each other', () => {
    const block = (query: string) =>
      `\`\`\`json\n{"name":"web_search","arguments":{"queries":["${query}"]}}\n\`\`\`\n`
    expect(callsIn(block('a') + block('b') + block('c')).map(({ args }) => args)).toEqual([
      { queries: ['a'] },
      { queries: ['b'] },
      { queries: ['c'] },
    ])
  })

  it('is reported with its problem when its arguments are broken', () => {
    const [part] = read('<tool_call>{"name": "web_search", "arguments": {"queries": [}}</tool_call>').parts
    expect(part).toMatchObject({ calls: [], isOpen: false, broken: { name: 'web_search' } })
    expect(part?.broken?.problem).toContain('a value is expected')
  })
})

describe('a long text', () => {
  // Work that grows with the square of the length would exceed the time limit of a test.
  it.each([
    '<tool_call>',
    '<tool_call>{"',
    '<tool_call>{"a":"',
    '<tool_call></tool_call>',
    '<function=x><parameter=y>',
    '<invoke name="a">',
    '<tool_call>a<arg_key>',
    '[TOOL_CALLS]',
    "{'\n",
    '{"a":\n',
    '[f(',
    '```\n{"name":"web_search","arguments":{\n',
    ' ',
    '\n\n',
  ])('is read in proportion to its length: %j', piece => {
    expect(read(piece.repeat(50_000)).parts.length).toBeLessThan(60_000)
  })
})
