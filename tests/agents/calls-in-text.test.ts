import { AIMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import type { Question } from '../../src/core/task.ts'
import { type Expected, writers } from '../text/tool-calls/written-calls.ts'
import { calls, question, type Script, says, scripted, table, world } from './harness.ts'

async function attempt(script: Script, more: Parameters<typeof world>[1] = {}, asks: Question = question) {
  const model = scripted(script)
  const here = world(model, more)
  const outcome = await runOwnAgent(asks, here.environment)
  return { ...outcome, ...here, model }
}

const asked: readonly Expected[] = [
  { name: 'web_search', args: { queries: ['Hotel Alder beds'] } },
  { name: 'fetch_page', args: { url: 'https://alder.test/' } },
]
const hermes = (query: string) =>
  `<tool_call>\n{"name": "web_search", "arguments": {"queries": ["${query}"]}}\n</tool_call>`
const cut = { response_metadata: { finish_reason: 'length' } }
const broken = (args: string) => ({
  invalid_tool_calls: [
    { type: 'invalid_tool_call' as const, id: 'i', name: 'web_search', args, error: 'no JSON' },
  ],
})

describe('calls that a server left in the text', () => {
  it.each(writers)('are carried out as if the server had read them: %s', async (_title, form, write) => {
    const { termination, usage, model, of } = await attempt({
      turns: [says(`I look.\n${write(asked)}`), says(table)],
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 1, fetchCalls: 1, modelCalls: 2 })
    expect(of('calls-left-in-text')).toEqual([
      { type: 'calls-left-in-text', calls: 2, unread: 0, forms: [form] },
    ])
    const said = model.requests[1]!.messages.filter(message => message instanceof AIMessage)
    expect(
      said.flatMap(message => message.tool_calls ?? []).map(({ name, args }) => ({ name, args })),
    ).toEqual(asked)
  })

  it.each([
    ['between tags', says(`<think>I should search.\n${hermes('a')}\n</think>`)],
    ['after a tag that is not closed', says(`<think>I should search.\n${hermes('a')}`)],
    ['in its own field', says('', { additional_kwargs: { reasoning_content: `I search.\n${hermes('a')}` } })],
    ['as JSON', says('<think>So:\n{"name": "web_search", "arguments": {"queries": ["a"]}}</think>')],
  ])('are found in the reasoning of a turn without a text: %s', async (_where, turn) => {
    const { termination, usage } = await attempt({ turns: [turn, says(table)] })
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 1 })
  })

  it('are not read in reasoning when the turn has an answer', async () => {
    const { termination, usage } = await attempt({ turns: [says(`<think>${hermes('a')}</think>\n${table}`)] })
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 0, modelCalls: 1 })
  })

  it.each([
    ['quoted in code', `${table}\n\nI used \`${hermes('a')}\`.`],
    ['in a code block', `${table}\n\nAn example:\n\`\`\`xml\n${hermes('a')}\n\`\`\``],
    ['as JSON', `${table}\n\nAn example:\n{"name": "web_search", "arguments": {"queries": ["a"]}}`],
    ['in words', `${table}\n\nFor that I called ${hermes('a')} twice.`],
    ['before the answer', `First I called ${hermes('a')}.\n${table}`],
    ['as Python', `${table}\n\nweb_search(queries=["a"])`],
    ['in a form that is not known', `${table}\n\n<|foo_call|>web_search {"queries": ["a"]}`],
  ])('are examples when a final answer stands beside them: %s', async (_where, text) => {
    const { termination, usage, answerText, of } = await attempt({ turns: [says(text)] })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 0, modelCalls: 1 })
    expect(answerText).toBe(text)
    expect(of('calls-left-in-text')).toEqual([])
  })

  it('are carried out at the end of a text with a draft, because the model stopped for their results', async () => {
    const { usage, answerText } = await attempt({
      turns: [
        says(`${table}\nI check that again.\n${hermes('a')}`),
        says('', cut),
        says('', cut),
        says('', cut),
      ],
    })
    expect(usage).toMatchObject({ searchCalls: 1 })
    expect(answerText).toContain('a.pdf,"1,234"')
  })

  it('are told to the model when their arguments are broken', async () => {
    const { model, termination } = await attempt({
      turns: [
        says('<tool_call>{"name": "web_search", "arguments": {"queries": [}}</tool_call>'),
        says(table),
      ],
    })
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('Your call of web_search could not be read')
    expect(termination).toMatchObject({ reason: 'answered' })
  })

  it('are ignored in a setting without tools', async () => {
    const { termination, usage } = await attempt({ turns: [says(hermes('a'))] }, { makeTools: [] })
    expect(usage).toMatchObject({ searchCalls: 0 })
    expect(termination.reason).not.toBe('answered')
  })
})

const unknown = [
  '<|foo_call|>web_search {"queries":["a"]}<|/foo_call|>',
  'I search.\n<act:invoke name="web_search"><arg k="queries">["a"]</arg></act:invoke>',
  '{"call": "web_search", "with": {"queries": ["a"]}}',
  '<think>I search.\n<|begin_of_call|>web_search(a)</think>',
]

describe('calls in a form that is not known', () => {
  it.each(unknown)('end the attempt as provider / unparsed-calls: %s', async text => {
    const { termination, model, of } = await attempt({ turns: [says(text)] })
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unparsed-calls', answerProduced: false })
    expect(termination.detail).toContain('--tool-protocol text')
    expect(model.requests).toHaveLength(1)
    expect(of('calls-left-in-text')).toMatchObject([{ calls: 0, unread: 1 }])
  })

  it.each(unknown)('are told to a model that was shown another form: %s', async text => {
    const { termination, model } = await attempt({ nativeTools: false, turns: [says(text), says(table)] })
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('could not be read')
    expect(termination).toMatchObject({ reason: 'answered' })
  })

  it('are no answer in words', async () => {
    const { termination } = await attempt(
      { turns: [says('I will search now.\n<|foo_call|>web_search {"queries":["a"]}')] },
      { hasAnswer: (answer: string) => answer.trim() !== '' },
      { ...question, form: { kind: 'text' } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unparsed-calls' })
  })
})

describe('a call that the output limit cut', () => {
  const told = /could not be read \(the output limit cut it/
  it.each([
    ['the server', says('', { ...broken('{"queries":["Hotel Al'), ...cut })],
    [
      'the text',
      says('I look.\n<tool_call>\n{"name": "web_search", "arguments": {"queries": ["Hotel Al', cut),
    ],
    ['a tag', says('<function=web_search>\n<parameter=queries>\n["Hotel Al', cut)],
    ['a list of pairs', says('<tool_call>web_search\n<arg_key>queries</arg_key>\n<arg_value>["Hotel', cut)],
    ['its mark', says('Now I search.\n<tool_call>\n<func', cut)],
    ['a code block', says('```json\n{"name": "web_search", "arguments": {"queries": ["Hotel', cut)],
    ['the reasoning', says('<think>I search.\n<tool_call>{"name": "web_search", "argum', cut)],
  ])('is not made, and the model is told and can go on: %s', async (_where, turn) => {
    const { model, termination, usage } = await attempt({ turns: [turn, says(table)] })
    expect(model.requests[1]!.messages.at(-1)!.text).toMatch(told)
    expect(usage).toMatchObject({ searchCalls: 0 })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
  })

  it.each([
    ['the server', says('', { ...broken('{"queries":["Hotel Al'), ...cut })],
    ['the text', says('<tool_call>\n{"name": "web_search", "arguments": {"queries": ["Hotel Al', cut)],
    ['a tag', says('<invoke name="web_search"><parameter name="queries">["Hotel', cut)],
  ])('ends the attempt as budget / output-limit when it is cut every time: %s', async (_where, turn) => {
    const { termination } = await attempt({ turns: [turn] })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'output-limit' })
  })

  it('does not stop the whole calls before it', async () => {
    const text = `${hermes('a')}\n<tool_call>\n{"name": "fetch_page", "arguments": {"url": "http`
    const { usage, model } = await attempt({ turns: [says(text, cut), says(table)] })
    expect(usage).toMatchObject({ searchCalls: 1, fetchCalls: 0 })
    expect(model.requests[1]!.messages.at(-1)!.text).toMatch(told)
  })

  it('is the fault of the model when nothing was cut', async () => {
    const { termination } = await attempt({ turns: [says('', broken('{"queries":["Hotel Al'))] })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
  })
})

it('carries out calls of the server without a look at the text', async () => {
  const turn = says(hermes('b'), { tool_calls: calls(['web_search', { queries: ['a'] }]).tool_calls })
  const { of, usage } = await attempt({ turns: [turn, says(table)] })
  expect(of('calls-left-in-text')).toEqual([])
  expect(usage).toMatchObject({ modelCalls: 2 })
})
