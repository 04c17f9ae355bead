import { expect } from 'vitest'
import { ProviderError } from '../../../src/core/errors.ts'
import { type ModelDialect, type ModelServerRequest, modelDialects } from '../../../src/core/model.ts'
import { type Random, seededRandom } from '../../../src/core/runtime.ts'
import { says, scripted, usageOf } from '../harness.ts'
import { ask, eventTexts, openTestSession, plain, serverOf } from './model-client.ts'

const bodies: Readonly<Record<ModelDialect, (text: string, most: number | null, stream: boolean) => object>> =
  {
    'chat-completions': (content, most, stream) => ({
      ...{ model: 'any', stream, messages: [{ role: 'user', content }] },
      ...(most === null ? {} : { max_tokens: most }),
    }),
    responses: (input, most, stream) => ({
      ...{ model: 'any', stream, input },
      ...(most === null ? {} : { max_output_tokens: most }),
    }),
    messages: (content, most, stream) => ({
      ...{ model: 'any', stream, messages: [{ role: 'user', content }] },
      max_tokens: most ?? 400,
    }),
    gemini: (text, most) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: most === null ? {} : { maxOutputTokens: most },
    }),
  }

function pathOf(dialect: ModelDialect, isStreamed: boolean): string {
  if (dialect === 'chat-completions') return '/v1/chat/completions'
  if (dialect === 'gemini')
    return `/v1beta/models/any:${isStreamed ? 'streamGenerateContent' : 'generateContent'}`
  return `/v1/${dialect}`
}

/** What the provider has done in a schedule. */
interface Worked {
  calls: number
  /** Tokens that have reached the gateway. */
  output: number
}

type Piece = readonly [text: string | Error, output: number]

/** A body that counts its tokens as they are read. */
async function* countedBody(worked: Worked, pieces: readonly Piece[]): AsyncIterable<Uint8Array> {
  for (const [text, output] of pieces) {
    await new Promise(resolve => setImmediate(resolve))
    if (text instanceof Error) throw text
    worked.output += output
    yield Buffer.from(text)
  }
}

/** A provider that keeps to the output cap of each request, and fails in every way that providers do. */
function playOf(random: Random, worked: Worked) {
  const pick = (most: number): number => Math.floor(random() * most)
  return async ({ body }: ModelServerRequest) => {
    worked.calls += 1
    for (let turn = pick(4); turn > 0; turn--) await new Promise(resolve => setImmediate(resolve))
    const most = (body.max_tokens as number | undefined) ?? 60
    const output = Math.max(1, random() < 0.4 ? most : pick(most))
    const text = 'x'.repeat(output)
    const usage =
      random() < 0.8 ? { prompt_tokens: promptTokens(body), completion_tokens: output } : undefined
    const fate = random()
    if (fate < 0.1) return new ProviderError('unavailable', 'HTTP 503', { retryable: true })
    if (fate < 0.13) return new ProviderError('bad-response', 'HTTP 400', { retryable: false })
    if (fate < 0.16) return new ProviderError('timeout', 'no answer', { retryable: true })
    if (fate < 0.19) return plain({ error: { message: 'overloaded', code: 503 } })
    if (fate < 0.21) return plain('nothing')
    if (body.stream !== true) {
      const whole = { choices: [{ message: { content: text }, finish_reason: 'stop' }], usage }
      return { body: countedBody(worked, [[JSON.stringify(whole), output]]) }
    }
    const half = Math.ceil(output / 2)
    const [first, second, last] = eventTexts(
      { choices: [{ index: 0, delta: { content: text.slice(0, half) }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: text.slice(half) }, finish_reason: 'stop' }] },
      { choices: [], ...(usage === undefined ? {} : { usage }) },
    )
    const begun: Piece = [first!, half]
    const stream = (...pieces: readonly Piece[]) => ({
      contentType: 'text/event-stream',
      body: countedBody(worked, pieces),
    })
    if (fate < 0.3) return stream(begun)
    if (fate < 0.4) return stream(begun, [new ProviderError('unavailable', 'reset', { retryable: true }), 0])
    if (fate < 0.45) return stream(begun, [eventTexts({ error: { message: 'overloaded' } })[0]!, 0])
    return stream(begun, [second!, output - half], [last!, 0], ['data: [DONE]\n\n', 0])
  }
}

function promptTokens(body: Readonly<Record<string, unknown>>): number {
  return (body.messages as { content: string }[]).reduce((sum, { content }) => sum + content.length + 4, 0)
}

/**
 * Makes one random schedule of parallel, streamed and failing calls through the gateway, and expects that no cap is
 * exceeded and that nothing stays reserved.
 */
export async function checkSchedule(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const pick = (most: number): number => Math.floor(random() * most)
  const caps = {
    ...(random() < 0.8 ? { tokens: 30 + pick(600) } : {}),
    ...(random() < 0.7 ? { modelCalls: 1 + pick(12) } : {}),
    ...(random() < 0.5 ? { usd: 0.00001 * (1 + pick(100)) } : {}),
  }
  const worked: Worked = { calls: 0, output: 0 }
  const model = scripted({
    price: { input: 1, cachedInput: 0.5, output: 4 },
    server: serverOf(['chat-completions'], playOf(random, worked)),
    turns: [
      ({ messages, options }) => {
        worked.calls += 1
        const output = Math.max(1, pick(options.maxOutputTokens ?? 60))
        if (random() < 0.2) throw new ProviderError('unavailable', 'HTTP 503', { retryable: true })
        // The gateway does not wait for an answer that nobody wants any more.
        if (!options.signal.aborted) worked.output += output
        const input = messages.reduce((sum, message) => sum + message.text.length + 4, 0)
        return says('x'.repeat(output), { usage_metadata: usageOf(input, output) })
      },
    ],
  })
  const lastCall = random() < 0.5 ? { answerNow: 'Answer now.', shortened: () => '[shortened]' } : null
  const here = openTestSession(model, { caps }, lastCall)
  const { session } = here
  const call = async (): Promise<void> => {
    const dialect = modelDialects[random() < 0.6 ? 0 : pick(4)]!
    const isStreamed = random() < 0.6
    const most = random() < 0.5 ? null : 1 + pick(100)
    const body = bodies[dialect]('y'.repeat(pick(30)), most, isStreamed)
    const hangsUp = random() < 0.15
    const after = pick(200)
    await ask(session, pathOf(dialect, isStreamed), body, {
      hangUpWhen: text => hangsUp && text.length >= after,
    })
  }
  for (let wave = 1 + pick(4); wave > 0; wave--) await Promise.all(Array.from({ length: 1 + pick(5) }, call))
  await session.close()
  // A call that its agent has left is settled once its provider has noticed.
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve))

  const { meter, usage } = session.run
  for (const [kind, cap] of Object.entries(caps) as ['tokens' | 'modelCalls' | 'usd', number][]) {
    expect(meter.spent(kind), `${kind} spent of ${cap} in schedule ${seed}`).toBeLessThanOrEqual(cap + 1e-12)
    expect(meter.left(kind), `${kind} left in schedule ${seed}`).toBeCloseTo(cap - meter.spent(kind), 11)
  }
  expect(here.of('budget-overrun'), `schedule ${seed}`).toEqual([])
  expect(here.of('budget-refused').length).toBeLessThanOrEqual(1)
  expect(here.of('model-called')).toHaveLength(meter.spent('modelCalls'))
  expect(worked.calls).toBeLessThanOrEqual(caps.modelCalls ?? Number.POSITIVE_INFINITY)
  expect(worked.output).toBeLessThanOrEqual(caps.tokens ?? Number.POSITIVE_INFINITY)
  expect(usage.cutOffCalls() + here.of('model-answered').length).toBeLessThanOrEqual(
    meter.spent('modelCalls'),
  )
}
