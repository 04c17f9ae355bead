import { describe, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import { settings } from '../../agents/registry.ts'
import { ProviderError } from '../../src/core/errors.ts'
import { calls, document, page, question, type Request, says, scripted, table, world } from './harness.ts'

const refusal = (status = 400, words = 'cannot do that') =>
  new ProviderError('bad-response', `test:model: HTTP ${status}: ${words}`, { retryable: false, status })
const size = ({ messages }: Request): number => messages.reduce((sum, { text }) => sum + text.length, 0)
/** Refuses requests above a number of characters. One character is one token. */
const refusesFrom =
  (most: number, error = refusal()) =>
  (request: Request) => {
    if (size(request) > most) throw error
    return says(table)
  }
const longPage = { makeTools: [page(() => 'line of a page\n'.repeat(2_000))] }
const open = calls(['fetch_page', { url: 'http://x.test/' }])

describe('a long request that is refused for an unknown reason', () => {
  it.each([
    [400, 'cannot do that'],
    [413, 'no'],
    [422, 'Unprocessable'],
  ])('is tried once shortened by the agent: HTTP %i %s', async (status, words) => {
    const model = scripted({ turns: [open, refusesFrom(20_000, refusal(status, words))] })
    const { termination } = await runOwnAgent(question, world(model, longPage).environment)
    expect(model.requests.map(size)[1]).toBeGreaterThan(30_000)
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', answerProduced: true })
  })

  it('goes on under a policy that makes room', async () => {
    const note = (request: Request) =>
      /state note/i.test(request.messages.at(-1)!.text) ? says('A note.') : null
    const turn = (request: Request) => note(request) ?? refusesFrom(20_000)(request)
    const model = scripted({ turns: [open, turn] })
    const options = { contextPolicy: 'summarise' }
    const { termination } = await runOwnAgent(question, world(model, { ...longPage, options }).environment)
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
  })

  it('ends the attempt with the refusal when the shorter request is refused, too', async () => {
    const model = scripted({ turns: [open, refusal(400, 'cannot do that')] })
    const { termination } = await runOwnAgent(question, world(model, longPage).environment)
    expect(termination).toMatchObject({ cause: 'provider', reason: 'bad-response' })
    expect(termination.detail).toContain('cannot do that')
    expect(model.requests).toHaveLength(3)
  })

  it.each([
    ['short', { makeTools: [page(() => 'a short page')] }, refusal()],
    [
      'refused for a known reason',
      longPage,
      new ProviderError('auth', 'HTTP 400: key', { retryable: false, status: 400 }),
    ],
    ['not found', longPage, refusal(404)],
    ['answered with another protocol', longPage, refusal(200)],
  ])('is not tried again when it is %s', async (_why, more, error) => {
    const countTokens = (text: string) => text.length / 10
    const model = scripted({ turns: [open, error], countTokens })
    const { termination } = await runOwnAgent(question, world(model, more).environment)
    expect(termination.cause).toBe('provider')
    expect(model.requests).toHaveLength(2)
  })

  const documents = async () => [document('a.pdf', 'line of a report\n'.repeat(3_000))]

  it('is tried once shortened in a setting with one request', async () => {
    const model = scripted({ contextWindow: 100_000, turns: [refusesFrom(40_000)] })
    const outcome = await settings.get('offline').run(question, world(model, { documents }).environment)
    expect(outcome.termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(model.requests).toHaveLength(2)
    expect(size(model.requests[1]!)).toBeLessThan(40_000)
  })

  it('ends such an attempt with the first refusal when the shorter request is refused, too', async () => {
    const turns = [refusal(400, 'first words'), refusal(400, 'second words')]
    const model = scripted({ contextWindow: 100_000, turns })
    const { termination } = await settings
      .get('offline')
      .run(question, world(model, { documents }).environment)
    expect(termination).toMatchObject({ cause: 'provider', reason: 'bad-response' })
    expect(termination.detail).toContain('first words')
    expect(model.requests).toHaveLength(2)
  })
})

it('is a full context when the numbers in the refusal say so', async () => {
  const turn = (request: Request) =>
    refusesFrom(20_000, refusal(400, `got ${size(request)} tokens, window 8192`))(request)
  const model = scripted({ turns: [open, turn] })
  const { termination } = await runOwnAgent(question, world(model, longPage).environment)
  expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', answerProduced: true })
})
