import { describe, expect, it } from 'vitest'
import { completion, type Play, send } from '../models/openai-server.ts'
import { question, table } from './harness.ts'
import { asks, attempt, expectWellFormed, ok, type Protocol, searchFor } from './server-attempt.ts'

type Fields = Record<string, unknown>
type Mode = 'auto' | 'on' | 'off'

const thought = 'Revenue of a.pdf may be 48213.'
const tagged = `<think>\n${thought}\n</think>\n\n`

/** Returns a completion that searches, with `before` in front of its text and `fields` in its message. */
function searches(protocol: Protocol, before: string, fields: Fields = {}) {
  const body = asks(protocol, searchFor('a'))
  const [choice] = body.choices
  const { content } = choice!.message as Fields
  const message = { ...choice!.message, content: `${before}${content ?? ''}` || null, ...fields }
  return { ...body, choices: [{ ...choice!, message }] }
}

const thenAnswers =
  (first: Fields): Play =>
  (_request, response, index) =>
    ok(response, index === 0 ? first : completion({ content: table }))

interface Case {
  readonly mode: Mode
  readonly protocol?: Protocol
  readonly model?: string
}

/** Returns the model's message of the first turn as the second request contains it. */
async function sentBack(play: Play, { mode, protocol = 'native', model = 'fake' }: Case) {
  const settingOptions = { keepReasoning: mode }
  const { seen, of } = await attempt(play, { model, settingOptions, options: { toolProtocol: protocol } })
  expect(seen).toHaveLength(2)
  const messages = seen[1]!.body.messages as Fields[]
  expectWellFormed(messages)
  const reserved = of('model-called').map(({ reservedTokens }) => reservedTokens)
  return { message: messages.find(({ role }) => role === 'assistant')!, reserved }
}

const protocols: readonly Protocol[] = ['native', 'text']
const kept: readonly Mode[] = ['auto', 'on']

describe.each(protocols)('with %s tool calls', protocol => {
  it.each(kept)('--keep-reasoning %s sends <think> text back with the call', async mode => {
    const { message } = await sentBack(thenAnswers(searches(protocol, tagged)), { mode, protocol })
    expect(message.content).toContain(tagged.trim())
  })

  it('--keep-reasoning off removes <think> text and keeps the rest', async () => {
    const first = searches(protocol, `${tagged}I look it up.`)
    const { message } = await sentBack(thenAnswers(first), { mode: 'off', protocol })
    expect(message.content).toMatch(/^I look it up\./)
    expect(JSON.stringify(message)).not.toContain('48213')
  })

  it.each(['auto', 'on', 'off'] as const)('--keep-reasoning %s sends text before a call back', async mode => {
    const first = searches(protocol, 'I look it up.\n')
    const { message } = await sentBack(thenAnswers(first), { mode, protocol })
    expect(message.content).toContain('I look it up.')
  })

  it.each([
    ['reasoning_content', thought],
    ['reasoning', thought],
    ['reasoning_details', [{ type: 'reasoning.text', text: thought, signature: 'c2ln', index: 0 }]],
  ])('sends the field %s back as it came, or not at all', async (field, value) => {
    const play = thenAnswers(searches(protocol, '', { [field]: value }))
    for (const mode of kept) {
      const { message } = await sentBack(play, { mode, protocol })
      expect(message[field]).toEqual(value)
    }
    const { message } = await sentBack(play, { mode: 'off', protocol })
    expect(message).not.toHaveProperty(field)
  })

  it('counts the tokens of reasoning that is sent back', async () => {
    const play = thenAnswers(searches(protocol, '', { reasoning_content: `${thought} `.repeat(500) }))
    const on = await sentBack(play, { mode: 'on', protocol })
    const off = await sentBack(play, { mode: 'off', protocol })
    expect(on.reserved[0]).toBe(off.reserved[0])
    expect(on.reserved[1]! - off.reserved[1]!).toBeGreaterThan(4_000)
  })

  it('sends the reasoning of a streamed answer back', async () => {
    const detail = (text: string) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, text }] })
    const deltas: Fields[] = [
      { role: 'assistant', reasoning: 'Revenue of a.pdf ', ...detail('Revenue of a.pdf ') },
      { reasoning: 'may be 48213.', ...detail('may be 48213.') },
      (searches(protocol, '').choices[0] as { message: Fields }).message,
    ]
    const events = deltas.map(delta => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
    const play: Play = (_request, response, index) =>
      index === 0
        ? send(response, 200, `${events.join('')}data: [DONE]\n\n`, { 'content-type': 'text/event-stream' })
        : ok(response, completion({ content: table }))
    const { message } = await sentBack(play, { mode: 'on', protocol })
    expect(message).toMatchObject({
      reasoning: thought,
      reasoning_details: [{ type: 'reasoning.text', index: 0, text: thought }],
    })
  })

  it('auto never sends the reasoning of DeepSeek-R1 back', async () => {
    const play = thenAnswers(searches(protocol, tagged, { reasoning_content: thought }))
    const model = 'deepseek-ai/DeepSeek-R1'
    expect(JSON.stringify(await sentBack(play, { mode: 'auto', protocol, model }))).not.toContain('48213')
    expect(JSON.stringify(await sentBack(play, { mode: 'on', protocol, model }))).toContain('48213')
  })
})

describe('in a conversation of two questions', () => {
  const asked = { ...question, turns: [{ query: 'And profit?', form: question.form }] }
  /** Returns the last request as text. */
  async function lastRequest(mode: Mode, model: string): Promise<string> {
    const play: Play = (_request, response, index) =>
      ok(
        response,
        index % 2 === 0
          ? searches('native', '', { reasoning_content: thought })
          : completion({ content: `<think>Profit 77123.</think>${table}` }),
      )
    const settingOptions = { keepReasoning: mode }
    const { seen } = await attempt(play, { model, settingOptions, asked })
    expect(seen).toHaveLength(4)
    return JSON.stringify(seen[2]!.body.messages)
  }

  it('auto drops the reasoning of the first question where the maker advises it', async () => {
    const request = await lastRequest('auto', 'Qwen/Qwen3-8B')
    expect(request).not.toContain('48213')
    expect(request).not.toContain('77123')
  })

  it.each([
    ['auto', 'deepseek-reasoner'],
    ['on', 'Qwen/Qwen3-8B'],
  ] as const)('--keep-reasoning %s keeps it for %s', async (mode, model) => {
    const request = await lastRequest(mode, model)
    expect(request).toContain('48213')
    expect(request).toContain('77123')
  })
})
